import { expect, it, onTestFinished } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import { readableText } from '../../../dev/slack/readable-text.ts'
import type { Choice, Message } from '../../../dev/slack/slack.ts'
import { type StartedDemo, start } from './started-demo.ts'

/** Plans another alert for the first channel, as the form has it but for what is given. */
async function planAlert(demo: StartedDemo, values: Record<string, Choice>): Promise<void> {
  const { slack, appUrl } = demo
  await demo.write('/calls alerts')
  const [{ click } = never()] = placesOf(await showing(demo, 'calls.alert.new'), 'calls.alert.new')
  await demo.act(click)
  const form = await slack.waitFor(() => slack.openViews().find(({ submit }) => submit !== undefined))
  await slack.submit(appUrl, { view: form, values })
  await slack.waitFor(() => (slack.view(form.id)?.submit === undefined ? true : undefined))
  const closing = slack.view(form.id)
  if (closing) slack.closeView({ view: closing })
}

/** Each place where a message has this button or menu, as the page names it. */
const placesOf = ({ ts, blocks }: Message, actionId: string) =>
  elementsIn(blocks).flatMap(({ block, element }) =>
    element.action_id === actionId
      ? [
          {
            click: { kind: 'act', at: { message: ts }, blockId: block.block_id, actionId },
            options: element.options ?? [],
          },
        ]
      : [],
  )

const reads = (message: Message | undefined, words: string) =>
  message && readableText(message).includes(words) ? message : undefined

const showing = ({ slack }: StartedDemo, actionId: string) =>
  slack.waitFor(() => slack.messages().findLast((one) => placesOf(one, actionId).length > 0), 20_000)

async function startDemo(): Promise<StartedDemo> {
  const demo = await start()
  onTestFinished(() => demo.stop())
  return demo
}

it('delivers the click of whoever still sees a button that somebody else has used meanwhile', async () => {
  const demo = await startDemo()
  await demo.act({ kind: 'missed', count: 1 })
  const alert = await showing(demo, 'alert.take')
  const { click: take } = placesOf(alert, 'alert.take')[0] ?? never()
  const [ada, ben] = (await demo.state()).people
  expect((await demo.act({ ...take, user: ada?.id })).status).toBe(200)
  await demo.slack.waitFor(() => reads(demo.slack.message(alert.ts), 'Taken by'))
  expect((await demo.act({ ...take, user: ben?.id })).status).toBe(200)
  const answer = await demo.slack.waitFor(() =>
    demo.slack.messages().find(({ onlyFor, text }) => onlyFor === ben?.id && text.startsWith('Already')),
  )
  expect(answer.text).toMatch(/^Already taken by Ada Marsh at /)
  expect((await demo.act({ ...take, blockId: 'another', user: ben?.id })).status).toBe(409)
})

it('chooses from the menu of the second alert', async () => {
  const demo = await startDemo()
  const value = '+442079460042'
  await planAlert(demo, { lines: { text: { type: 'plain_text', text: value }, value } })
  await demo.write('/calls alerts')
  const list = await showing(demo, 'calls.alert.menu')
  const [, { click } = never()] = placesOf(list, 'calls.alert.menu')
  const answer = await demo.act({ ...click, choose: 'mute-hour' })
  expect(await answer.json()).toEqual({})
  await demo.slack.waitFor(() => reads(demo.slack.message(list.ts), 'Muted until'))
})

function never(): never {
  throw new Error('it is not there')
}
