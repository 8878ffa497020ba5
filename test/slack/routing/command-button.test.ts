import fc from 'fast-check'
import { expect, it } from 'vitest'
import { commandButton, readCommandButton } from '../../../src/slack/blocks/buttons.ts'
import { parseCommandText } from '../../../src/slack/routing/commands.ts'
import { useApp } from '../../support/app.ts'
import { forAll } from '../../support/properties.ts'

const app = useApp({ connected: true })

const buttonFor = (command: string) => {
  const { action_id = '', value = '' } = commandButton('one', 'One', command)
  return { action_id, value }
}

/** Clicks a command button under a message. */
async function press(action: ReturnType<typeof buttonFor>, { user } = app.member) {
  const message = await app.slack.as(user).command('/calls help')
  const exchange = await app.slack.clickRaw(app.url, { message, user, action })
  return { exchange, message }
}

it('runs its command in place of the message', async () => {
  const { exchange, message } = await press(buttonFor('/calls outgoing last 7 days'))
  const answer = await exchange.waitForMessage(5000)
  expect(answer).toShow('outgoing calls')
  expect(answer.ts).toBe(message.ts)
})

it('opens the modal of a command that opens one; if it cannot open, the message stays', async () => {
  const opened = await press(buttonFor('/calls connect'), app.admin)
  expect((await opened.exchange.waitForView(1, 5000)).type).toBe('modal')
  app.slack.failNext('views.open', { body: { ok: false, error: 'internal_error' } })
  const { exchange, message } = await press(buttonFor('/calls connect'), app.admin)
  expect((await exchange.waitForMessage(5000)).ts).not.toBe(message.ts)
})

it('on the Home tab, shows rows as lines in a modal, with pages', async () => {
  const { slack, member } = app
  expect(await member.open(await member.openHome(), 'command.missed-today')).toShow('missed calls')
  const pressed = { view: await member.openHome(), user: member.user, action: buttonFor('/calls') }
  const exchange = await slack.clickRaw(app.url, pressed)
  const list = await slack.waitFor(() => exchange.views.find(({ type }) => type === 'modal'))
  expect(list).toShow('1–20 of ')
  const next = await member.open(list, 'calls.page.next')
  expect(next.id).toBe(list.id)
  expect(JSON.stringify(next.blocks)).not.toContain('"table"')
  expect(next).toShow('21–40 of ')
  const filter = await member.open(next, 'calls.filter')
  await member.submit(filter, { direction: 'outgoing' })
  expect(await member.sees(filter, 'outgoing calls')).toShow('Next')
  expect(slack.callsTo('chat.postMessage')).toEqual([])
})

it.each(['', 'calls', '/calls\nmissed', '{"page":1}', '/ calls'])(
  'refuses %j, which is no command',
  async (value) => {
    const { exchange } = await press({ action_id: 'command.x', value })
    expect(await exchange.waitForMessage(5000)).toShow("can't be used any more")
    await app.logged('not recognized: click command.x')
  },
)

it('keeps the words of the command unchanged', () => {
  forAll(fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 5 }), (parts) => {
    // Quotation marks and colons, full-width ones too, have a meaning of their own.
    const typed = parts.map((part) => part.replaceAll(/[\s"“”„‟«»＂:：]/g, '')).filter((part) => part !== '')
    const read = readCommandButton(buttonFor(`/calls ${typed.join(' ')}`).value)
    expect(read?.command).toBe('/calls')
    expect(parseCommandText(read?.text ?? '').map(({ value }) => value)).toEqual(typed)
  })
})
