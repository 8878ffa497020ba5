import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { getButtons } from '../../support/shown.ts'

const app = useApp({ connected: true })

/** Renames the first agents of the account. */
function nameAgents(...names: readonly string[]) {
  const { agents } = app.sandbox.accounts.lively
  const renamed = agents.map((agent, index) => ({ ...agent, name: names[index] ?? `Robot ${index}` }))
  Object.assign(app.sandbox.accounts.lively, { agents: renamed })
}

describe('a name', () => {
  it('is matched alike by all commands, best first', async () => {
    const { member } = app
    nameAgents('Joanna Reyes', 'Annabel Lee', 'Presales', 'Sales Berlin')
    for (const typed of ['/calls ann', '/calls agent:ann'])
      expect(await member.command(typed)).toShow(
        '2 agents match "ann". Which one? "Annabel Lee", "Joanna Reyes"',
      )
    expect(await member.command('/agents ann')).toShow('2 agents match "ann": Annabel Lee, Joanna Reyes')
    for (const typed of ['sales', 'agent:sales', 'berlin sales', 'agent:"berlin sales"'])
      expect(await member.command(`/calls ${typed}`)).toShow('Sales Berlin: incoming calls')
    expect(await member.command('/agents sales')).toShow('2 agents match "sales": Sales Berlin, Presales')
  })

  it('with a typo is found if it is part of one name, and the title says whose calls are listed', async () => {
    nameAgents('Anna Smith', 'Benedict Okafor')
    expect(await app.member.command('/calls benedi')).toShow('Benedict Okafor: incoming calls')
    expect(await app.member.command('/calls report okafo')).toShow('Benedict Okafor, call report')
  })

  it.each([
    ["Liam O'Brien", 'O’Brien', 'o`brien', 'o\u02bcbrien'],
    ['Zo\u00eb Martin', 'Zoe\u0308', 'zoe', '\u200bzo\u00eb\u200e'],
    ['Caf\u00e9 Nord', 'cafe', '\uff23\uff41\uff46\uff45', 'caf\u2060\u00e9'],
    ['Team １２', 'team 12', 'ｔｅａｍ　１２'],
  ])('%s has the same letters in other spellings', async (name, ...spellings) => {
    const { member } = app
    nameAgents('Anna Smith', name)
    for (const typed of spellings) {
      for (const words of [typed, `agent:"${typed}"`, `missed ${typed}`])
        expect(await member.command(`/calls ${words}`)).toShow(`${name}: `)
      expect(await member.command(`/agents ${typed}`)).toShow('1 agent matches', `: ${name}`)
    }
  })

  it('is matched alike by menus', async () => {
    const { member } = app
    nameAgents('Presales', 'Sales Zo\u00eb', 'Sales')
    const modal = await member.open(await member.command('/calls'), 'calls.filter')
    const suggested = async (typed: string) =>
      (await member.suggest(modal, 'calls.agent', typed)).map(({ text }) => text.text)
    expect(await suggested('sales')).toEqual(['Sales'])
    expect(await suggested('sale')).toEqual(['Sales Zo\u00eb', 'Sales', 'Presales'])
    expect(await suggested('zoe sales')).toEqual(['Sales Zo\u00eb'])
    expect((await suggested('')).slice(0, 2)).toEqual(['Presales', 'Sales Zo\u00eb'])
  })

  it('that looks like another is offered with its id', async () => {
    nameAgents('Zo\u00eb', 'Zoe\u0308')
    const [first, second] = app.sandbox.accounts.lively.agents
    const labels = getButtons(await app.member.command('/calls zoe')).map(({ text }) => text)
    expect(labels.slice(0, 2)).toMatchObject([
      { text: `Zo\u00eb (${first?.id})` },
      { text: `Zoe\u0308 (${second?.id})` },
    ])
  })
})

it.each([
  'missed\u200b yesterday',
  '\u200emissed\u2060 yesterday\ufeff',
  'ｍｉｓｓｅｄ　ｙｅｓｔｅｒｄａｙ',
  'status：missed yesterday',
])('reads %j as words', async (words) => {
  const list = await app.member.command(`/calls ${words}`)
  expect(list.text).toContain('issed calls')
  expect(list.text).not.toContain("didn't understand")
})
