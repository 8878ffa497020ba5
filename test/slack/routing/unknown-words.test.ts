import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { registeredRoutes } from '../../support/routes.ts'
import { buttonsOf } from '../../support/shown.ts'
import { refusals } from '../access/route-table.ts'

const app = useApp({ connected: true })
const { commands } = await registeredRoutes()

/** Those that understand what follows them, or say themselves that they don't. */
const readers = [
  '/calls export',
  '/calls help',
  '/calls report',
  '/calls timezone',
  '/billing delete-customer',
  '/billing invoices',
  '/billing post',
]
const subcommands = commands.flatMap(({ command, word }) =>
  word === undefined ? [] : [`/${command} ${word}`],
)
const isReader = (one: string) => readers.includes(one)

/** What it shows, with no modal opened and the service asked for nothing. */
async function answerTo(line: string, actor = app.admin) {
  app.sandbox.requests.clear()
  const exchange = await actor.type(line)
  const message = await exchange.waitForMessage(5000)
  expect(exchange.views).toEqual([])
  expect(app.sandbox.requests.count()).toBe(0)
  return message
}

describe('words behind a subcommand', () => {
  it('are read by few', () => {
    expect(subcommands.filter(isReader).toSorted()).toEqual(readers.toSorted())
  })

  it.each(subcommands.filter((one) => !isReader(one) && one !== '/calls connect'))(
    '%s takes none: they are named, with a button that runs it without them',
    async (command) => {
      const message = await answerTo(`${command} foo line:Sales`)
      expect(message).toShow('"foo line:Sales" isn\'t recognised. Did you mean this?')
      expect(buttonsOf(message).map(({ value }) => value)).toEqual([command])
    },
  )

  it('the button runs the command, which opens its modal or answers', async () => {
    const { member } = app
    expect(await member.open(await answerTo('/calls alert foo', member), 'command.meant')).toShow(
      'Missed-call alert',
    )
    const paused = await answerTo('/callboard calls alerts pause', member)
    expect(await member.click(paused, 'command.meant')).toShow('No missed-call alerts yet')
  })

  it('what could be a key and secret is not shown', async () => {
    const message = await answerTo('/calls connect ck_live_1 s3cr3t')
    expect(message).toShow('Use /calls connect without other words. Did you mean this?')
    expect(JSON.stringify(message)).not.toMatch(/ck_live_1|s3cr3t/)
    expect(buttonsOf(message).map(({ value }) => value)).toEqual(['/calls connect'])
  })

  it('a channel among them goes by its name', async () => {
    expect(await answerTo('/billing schedules <#C0FINANCE|finance>')).toShow('"#finance" isn\'t recognised.')
  })

  it('of a command that is not for somebody, nothing is said but that', async () => {
    expect(await answerTo('/calls lines foo', app.member)).toShow(refusals.admin)
    expect(await answerTo('/billing schedules foo', app.member)).toShow(refusals.billing)
  })

  it('as many as there may be', async () => {
    const message = await answerTo(`/calls alerts ${'&amp;'.repeat(197)}`)
    expect(message).toShow('Did you mean this?')
  })

  it('help knows one', async () => {
    expect(await app.member.command('/calls help WORDS')).not.toShow("isn't recognised")
    for (const command of ['/calls help', '/callboard help']) {
      const message = await answerTo(`${command} foo`)
      expect(message).toShow('"foo" isn\'t recognised. Did you mean this?')
      expect(buttonsOf(message).map(({ value }) => value)).toEqual(['/calls help'])
    }
  })
})

it.each(['/calls mute', '/calls unmute 1h', '/callboard mute 1h'])('%s: the list of alerts', async (line) => {
  const { member } = app
  const message = await answerTo(line, member)
  expect(message).toShow(`"${line.split(' ')[1]}" isn't recognised. Did you mean this?`)
  expect(buttonsOf(message)[0]?.value).toMatch(/^\/(callboard )?calls alerts$/)
  expect(await member.click(message, 'command.meant')).toShow('No missed-call alerts yet')
})

it.each([
  ['/calls missed yesterday by:line', '/calls report yesterday by:line'],
  ['/calls by agent', '/calls report by agent'],
  ['/callboard delete', '/callboard forget'],
])('%s: most likely %s', async (line, meant) => {
  const message = await answerTo(line)
  expect(message).toShow("isn't recognised. Did you mean this?")
  expect(buttonsOf(message)[0]).toMatchObject({ text: { text: meant } })
})

it("a word that is understood, and only not beside another one, is nobody's name", async () => {
  const message = await answerTo('/calls report outgoing line:Berlin')
  expect(message).toShow('Outgoing calls have no line.')
  expect(message).not.toShow('Agent "outgoing"')
})
