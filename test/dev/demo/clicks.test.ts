import { expect, it } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import '../../support/shown.ts'
import { start } from './started-demo.ts'

it('delivers a click on a button that another person has already used', async () => {
  const demo = await start()
  const { slack } = demo
  await demo.act({ kind: 'missed', count: 1 })
  const { alert, block } = await slack.waitFor(() => {
    const buttons = slack
      .messages()
      .flatMap((one) => elementsIn(one.blocks).map((each) => ({ alert: one, ...each })))
    return buttons.findLast(({ element }) => element.action_id === 'alert.take')
  }, 20_000)
  const take = { kind: 'act', at: { message: alert.ts }, blockId: block.block_id, actionId: 'alert.take' }
  const [ada, ben] = (await demo.state()).people
  expect((await demo.act({ ...take, user: ada?.id })).status).toBe(200)
  await expect.poll(() => slack.message(alert.ts)).toShow('Taken by')
  expect((await demo.act({ ...take, user: ben?.id })).status).toBe(200)
  const answer = await slack.waitFor(() =>
    slack.messages().find(({ onlyFor, text }) => onlyFor === ben?.id && text.startsWith('Already')),
  )
  expect(answer.text).toMatch(/^Already taken by Ada Marsh at /)
  expect((await demo.act({ ...take, blockId: 'another', user: ben?.id })).status).toBe(409)
})
