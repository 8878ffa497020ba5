import { expect, it, onTestFinished } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import { readableText } from '../../../dev/slack/readable-text.ts'
import type { Message } from '../../../dev/slack/slack.ts'
import { type StartedDemo, start } from './started-demo.ts'

/** Lists the places of a button in a message, as the page names them. */
const findPlaces = ({ ts, blocks }: Message, actionId: string) =>
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
  slack.waitFor(() => slack.messages().findLast((one) => findPlaces(one, actionId).length > 0), 20_000)

async function startDemo(): Promise<StartedDemo> {
  const demo = await start()
  onTestFinished(() => demo.stop())
  return demo
}

it('delivers a click on a button that another person has already used', async () => {
  const demo = await startDemo()
  await demo.act({ kind: 'missed', count: 1 })
  const alert = await showing(demo, 'alert.take')
  const { click: take } = findPlaces(alert, 'alert.take')[0] ?? never()
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

function never(): never {
  throw new Error('it is not there')
}
