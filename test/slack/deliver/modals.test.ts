import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ runtime: { slackTimes: { openModalWithinMs: 70 } } })

it('opens a waiting modal before the trigger expires while Slack is slow', async () => {
  const { admin, slack } = app
  slack.failNext('users.info', { delayMs: 400 })
  const command = await admin.type('/calls connect')
  expect(await command.waitForView()).toShow('One moment…')
  expect(await command.waitForView(2)).toShow('API secret')
  expect(command.messages).toEqual([])
  await app.connect()
})

it('shows a refusal in the modal that is already open', async () => {
  app.slack.failNext('users.info', { delayMs: 400 })
  const command = await app.member.type('/calls connect')
  expect(await command.waitForView(2)).toShow('Only administrators can do that')
})

it('offers a retry if Slack refuses to open the modal', async () => {
  app.slack.failNext('views.open', { body: { ok: false, error: 'expired_trigger_id' } })
  expect(await app.admin.command('/calls connect')).toShow('Try again')
})
