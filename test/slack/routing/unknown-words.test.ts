import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { registeredRoutes } from '../../support/routes.ts'
import { getButtons } from '../../support/shown.ts'
import { refusals } from '../access/route-table.ts'

const app = useApp({ connected: true })
const { commands } = await registeredRoutes()

/** Commands that accept arguments, or explain why they don't. */
const readers = [
  ...['export', 'help', 'mine', 'report', 'timezone', 'unreached'].map((word) => `/calls ${word}`),
  '/callboard help',
  ...['delete-customer', 'invoices', 'post'].map((word) => `/billing ${word}`),
]
const subcommands = commands
  .filter(({ word }) => word !== undefined)
  .map(({ command, word }) => `/${command} ${word}`)
const isReader = (one: string) => readers.includes(one)

/** Returns the reply, and expects no modal and no request to the service. */
async function answerTo(line: string, actor = app.admin) {
  app.sandbox.requests.clear()
  const exchange = await actor.type(line)
  const message = await exchange.waitForMessage(5000)
  expect(exchange.views).toEqual([])
  expect(app.sandbox.requests.count()).toBe(0)
  return message
}

describe('words after a subcommand', () => {
  it('are accepted by few subcommands', () => {
    expect(subcommands.filter(isReader).toSorted()).toEqual(readers.toSorted())
  })

  it.each(subcommands.filter((one) => !isReader(one) && one !== '/calls connect'))(
    '%s takes none: they are named, with a button that runs it without them',
    async (command) => {
      const message = await answerTo(`${command} foo line:Sales`)
      expect(message).toShow('I didn\'t understand "foo line:Sales". Did you mean this?')
      expect(getButtons(message).map(({ value }) => value)).toEqual([command])
    },
  )

  it('the button runs the command', async () => {
    const { member } = app
    expect(await member.open(await answerTo('/calls alert foo', member), 'command.meant')).toShow(
      'Missed-call alert',
    )
    const paused = await answerTo('/callboard calls alerts pause', member)
    expect(await member.click(paused, 'command.meant')).toShow('No missed-call alerts yet')
  })

  it("doesn't show words that may be a key and secret", async () => {
    const message = await answerTo('/calls connect ck_live_1 s3cr3t')
    expect(message).toShow('Type /calls connect alone, and enter the key and secret in the form.')
    expect(JSON.stringify(message)).not.toMatch(/ck_live_1|s3cr3t/)
    expect(getButtons(message).map(({ value }) => value)).toEqual(['/calls connect'])
  })

  it('only say that the person lacks permission for a command', async () => {
    for (const line of ['/calls lines foo', '/calls connect ck_live_1 s3cr3t'])
      expect(await answerTo(line, app.member)).toShow(refusals.admin)
    expect(await answerTo('/billing schedules foo', app.member)).toShow(refusals.billing)
  })

  it.each([
    ['a channel by its name', '<#C0FINANCE|finance>', 'I didn\'t understand "#finance".'],
    ['many escaped characters', '&amp;'.repeat(197), 'Did you mean this?'],
  ])('are shown: %s', async (_, words, shown) => {
    expect(await answerTo(`/billing schedules ${words}`)).toShow(shown)
  })
})

describe('a subcommand', () => {
  it.each([
    ['/calls last week report', ' · As of '],
    ['/calls yesterday report missed', ' · As of '],
    ['/callboard calls outgoing report by:hour', ' · As of '],
    ['/calls Europe/Berlin timezone', 'Europe/Berlin'],
    ['/callboard missed yesterday', 'issed call'],
  ])('may stand anywhere: %s', async (line, text) => {
    expect(await app.member.command(line)).toShow(text)
  })

  it('is not part of a quoted name, and help only comes first', async () => {
    expect(await app.member.command('/calls agent:"report"')).toShow('No agent matches "report".')
    expect(await app.member.command('/agents help desk')).toShow('I didn\'t understand "desk".')
    expect(await app.member.command('/agents IT help')).toShow('No agent matches "IT help".')
  })
})

it.each([
  ['/calls missed this mornig xyz', '"this mornig xyz"'],
  ['/calls report yesterday page:2', '"page:2"'],
  ['/calls missed help', '"help"'],
  ['/calls mine foo', '"foo"'],
  ['/calls missed hollis foo', '"foo"'],
  ['/calls mised xyzzy', '"mised xyzzy"'],
  ['/calls mised "holis"', '"mised"'],
  ['/agents anna colour:blue', '"colour:blue"'],
])('%s: quotes only what is unknown, and suggests nothing that drops a word', async (line, quoted) => {
  const message = await app.admin.command(line)
  expect(message).toShow(`I didn't understand ${quoted}.`)
  expect(message).not.toShow('Did you mean')
  expect(JSON.stringify(message)).not.toContain('agent:\\"me')
})

it.each([
  ['/calls mised hollis', '/calls missed hollis'],
  ['/calls yestrday holis', '/calls yesterday hollis'],
  ['/calls mine mised lst week', '/calls mine missed last week'],
  ['/calls report mised anna smth', '/calls report missed anna smith'],
  ['/calls billing', '/billing'],
  ['/calls reprot last month', '/calls report last month'],
  ['/calls last week reprot', '/calls last week report'],
  ['/callboard calls mised', '/calls missed'],
  ['/calls Agents hollis', '/agents hollis'],
  ['/callboard alerts', '/calls alerts'],
])('%s: suggests %s', async (line, meant) => {
  const message = await app.admin.command(line)
  expect(message).toShow("I didn't understand", 'Did you mean this?')
  expect(getButtons(message)[0]).toMatchObject({ text: { text: meant } })
})
