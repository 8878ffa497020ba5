import fc from 'fast-check'
import { expect, it } from 'vitest'
import { commandButton, readCommandButton } from '../../../src/slack/blocks/command-button.ts'
import { commandWords } from '../../../src/slack/routing/commands.ts'
import { useApp } from '../../support/app.ts'
import { refusals } from '../access/route-table.ts'

const app = useApp({ connected: true })

const buttonFor = (command: string) => {
  const { action_id = '', value = '' } = commandButton('one', 'One', command)
  return { action_id, value }
}

/** A click on a command button, under a message or on the home tab. */
async function press(command: string, { user, isHome = false } = { user: app.member.user }) {
  const { slack, url } = app
  const as = slack.as(user)
  const place = isHome ? { view: await as.openHome() } : { message: await as.command('/calls help') }
  return slack.clickRaw(url, { ...place, user, action: buttonFor(command) })
}

it('runs its command in place of the message', async () => {
  const { member, slack } = app
  const help = await member.command('/calls help')
  const action = buttonFor('/calls outgoing last 7 days')
  const exchange = await slack.clickRaw(app.url, { message: help, user: member.user, action })
  const answer = await exchange.waitForMessage(5000)
  expect(answer).toShow('outgoing calls')
  expect(answer.ts).toBe(help.ts)
})

it('opens the modal of a command that opens one', async () => {
  const exchange = await press('/calls connect', { user: app.admin.user })
  expect((await exchange.waitForView(1, 5000)).type).toBe('modal')
})

it('on the Home tab, shows rows as lines in a modal, with pages', async () => {
  const { slack, member } = app
  const opened = await member.open(await member.openHome(), 'command.missed-today')
  expect(opened).toShow('missed calls')
  const exchange = await press('/calls', { user: member.user, isHome: true })
  const list = await slack.waitFor(() => exchange.views.find(({ type }) => type === 'modal'))
  const [, next] = [expect(list).toShow('1–20 of '), await member.open(list, 'calls.page.next')]
  expect([next.id, JSON.stringify(next.blocks).includes('"table"')]).toEqual([list.id, false])
  expect(next).toShow('21–40 of ')
  const filter = await member.open(next, 'calls.filter')
  await member.submit(filter, { direction: 'outgoing' })
  expect(await member.sees(filter, 'outgoing calls')).toShow('Next')
  expect(slack.callsTo('chat.postMessage')).toEqual([])
})

it('refuses a command that the person has no permission for', async () => {
  const exchange = await press('/calls disconnect')
  expect(await exchange.waitForMessage(5000)).toShow(refusals.admin)
})

it.each(['', 'calls', '/calls\nmissed', '{"page":1}', '/ calls'])(
  'refuses %j, which is no command',
  async (value) => {
    const { member, slack, url } = app
    const message = await member.command('/calls help')
    const action = { action_id: 'command.x', value }
    const exchange = await slack.clickRaw(url, { message, user: member.user, action })
    expect(await exchange.waitForMessage(5000)).toShow("can't be used any more")
    await app.logged('not recognized: click command.x')
  },
)

it('keeps the words of the command unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 5 }), (parts) => {
      // Quotation marks and colons, full-width ones too, have a meaning of their own.
      const typed = parts
        .map((part) => part.replaceAll(/[\s"“”„‟«»＂:：]/g, ''))
        .filter((part) => part !== '')
      const read = readCommandButton(buttonFor(`/calls ${typed.join(' ')}`).value)
      expect(read?.command).toBe('/calls')
      expect(commandWords(read?.text ?? '').map(({ value }) => value)).toEqual(typed)
    }),
  )
})
