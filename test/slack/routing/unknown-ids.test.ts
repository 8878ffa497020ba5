import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

it('acknowledges a click and a submission that lead nowhere, and says so in the log', async () => {
  const { member, slack, url } = app
  const message = await member.command('/calls')
  const click = await slack.clickRaw(url, { message, action: { action_id: 'calls.no-such', value: '1' } })
  await app.logged('a click has no route')
  expect([click.status, click.messages]).toEqual([200, []])

  const modal = await member.open(message, 'calls.filter')
  const view = { ...modal, callback_id: 'calls.no-such-view' }
  const submission = await slack.submit(url, { view, values: {}, user: member.user })
  await app.logged('a submission has no route')
  expect([submission.status, submission.result?.action]).toEqual([200, 'closed'])
})
