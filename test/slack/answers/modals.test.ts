import { expect, it } from 'vitest'
import { useHouse } from '../../support/app.ts'

const house = useHouse()

it('opens a modal before its trigger dies, however slowly Slack tells who asks', async () => {
  const { say, slack, connect } = house()
  slack.failNext('users.info', { delayMs: 2200 })
  const asked = await say('connect', slack.people.admin)
  expect(JSON.stringify(await asked.waitForView())).toContain('One moment…')
  expect(JSON.stringify(await asked.waitForView(2))).toContain('Secret')
  expect(asked.messages).toEqual([])
  await connect()
})

it('tells in the modal what it would have told in a message, once it is open', async () => {
  const { say, slack } = house()
  slack.failNext('users.info', { delayMs: 1500 })
  const asked = await say('connect')
  expect(JSON.stringify(await asked.waitForView(2))).toContain('Only admins and owners')
})

it('tells where Slack does not open the modal', async () => {
  const { say, slack } = house()
  slack.failNext('views.open', { body: { ok: false, error: 'expired_trigger_id' } })
  expect((await (await say('connect', slack.people.admin)).waitForMessage()).text).toContain('try again')
})
