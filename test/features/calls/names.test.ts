import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { getColumn } from '../../support/shown.ts'

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
    const question = '2 agents match "ann". Which one? "Annabel Lee", "Joanna Reyes"'
    for (const typed of ['/calls ann', '/calls agent:ann'])
      expect(await member.command(typed)).toShow(question)
    expect(await member.command('/agents ann')).toShow('2 agents match "ann": Annabel Lee, Joanna Reyes')
    for (const typed of ['sales', 'agent:sales', 'berlin sales', 'agent:"berlin sales"'])
      expect(await member.command(`/calls ${typed}`)).toShow('Sales Berlin: ', ' incoming calls')
    expect(await member.command('/agents sales')).toShow('2 agents match "sales": Sales Berlin, Presales')
  })

  it('with a typo is found if it is part of one name, and the title says whose calls are listed', async () => {
    nameAgents('Anna Smith', 'Benedict Okafor')
    expect(await app.member.command('/calls benedi')).toShow('Benedict Okafor: ', ' incoming calls')
    expect(await app.member.command('/calls report okafo')).toShow('Benedict Okafor', ' · As of ')
  })

  it('is matched alike by menus', async () => {
    nameAgents('Presales', 'Sales Zo\u00eb', 'Sales')
    const modal = await app.member.open(await app.member.command('/calls'), 'calls.filter')
    const suggested = async (typed: string) =>
      (await app.member.suggest(modal, 'calls.agent', typed)).map(({ text }) => text.text)
    expect(await suggested('sales')).toEqual(['Sales'])
    expect(await suggested('sale')).toEqual(['Sales Zo\u00eb', 'Sales', 'Presales'])
    expect(await suggested('zoe sales')).toEqual(['Sales Zo\u00eb'])
    expect((await suggested('')).slice(0, 2)).toEqual(['Presales', 'Sales Zo\u00eb'])
  })

  const mentions = ['<@U0USER|anna>', '<@U0USER|anna.smith>', '<@U0USER|Anna Smith>', '@anna']

  it.each(mentions)('is that of the person in %s', async (mention) => {
    nameAgents('Anna Smith', 'Joanna Reyes')
    for (const words of [mention, `agent:${mention}`, `missed ${mention} yesterday`])
      expect(await app.member.command(`/calls ${words}`)).toShow('Anna Smith: ')
    expect(await app.member.command(`/agents ${mention}`)).toShow('"@', ': Anna Smith')
  })

  it('is looked up for a mention without it, and shown if it is no agent', async () => {
    const { member, admin } = app
    nameAgents('Joanna Reyes', 'Bo 3')
    admin.user.profile.display_name = 'Bo <3'
    expect(await member.command(`/calls <@${admin.user.id}>`)).toShow('Bo 3: ')
    for (const words of ['calls ', 'calls report ', 'calls export ', 'callboard ', 'billing ', 'calls from:'])
      expect(await admin.command(`/${words}<@U0USER|Bo Berg>`)).toShow('"@Bo Berg"')
    expect(await member.command('/calls &lt;@U0USER|bo&gt;')).toShow('"@U0USER|bo"')
    expect(await member.command('/calls <!subteam^S1|@sales>')).toShow('"@sales"')
  })
})

it('shows the id of an agent with a blank name in menus and lists', async () => {
  const { member, sandbox } = app
  nameAgents('', ' ', '\u200b', '\u3164', 'Zoe', 'Zoe')
  const agents = sandbox.accounts.lively.agents.map((agent, index) => ({
    ...agent,
    id: index === 1 ? '' : agent.id,
  }))
  Object.assign(sandbox.accounts.lively, { agents: [...agents, agents[0]] })
  const ids = agents.map(({ id }) => id)
  const modal = await member.open(await member.command('/calls'), 'calls.filter')
  const texts = (await member.suggest(modal, 'calls.agent', '')).map(({ text }) => text.text)
  expect(texts.slice(0, 5)).toEqual([ids[0], ids[2], ids[3], `Zoe (${ids[4]})`, `Zoe (${ids[5]})`])
  expect(new Set(texts).size).toBe(texts.length)
  const list = await member.command('/agents')
  for (const id of [ids[0], ids[2]]) expect(getColumn(list, 'Agent')).toContain(id)
  expect(await member.open(list, 'agents.details', ids[0])).toShow(ids[0] ?? '')
  expect(await member.command('/calls mine')).toShow('Which agent are you?')
})

it.each([
  'missed\u200b yesterday',
  '\u200emissed\u2060 yesterday\ufeff',
  'ｍｉｓｓｅｄ　ｙｅｓｔｅｒｄａｙ',
  'status：missed yesterday',
])('reads %j as words', async (words) => {
  const list = await app.member.command(`/calls ${words}`)
  expect(list.text).toMatch(/missed calls? (yesterday|on )/i)
  expect(list.text).not.toContain("didn't understand")
})
