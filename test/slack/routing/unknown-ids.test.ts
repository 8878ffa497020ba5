import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

const unusable = "can't be used any more"

it('apologizes for unknown actions and views, and logs their ids', async () => {
  const { member, slack, url } = app
  const message = await member.command('/calls')
  const action = { action_id: 'calls.no-such', value: '1' }
  const click = await slack.clickRaw(url, { message, user: member.user, action })
  const answer = await click.waitForMessage(5000)
  expect(answer).toShow(unusable)
  expect(answer.ts).not.toBe(message.ts)
  await app.logged('not recognized: click calls.no-such')
  await app.logged('"interaction":"click","outcome":"forged"')

  const modal = await member.open(message, 'calls.filter')
  const view = { ...modal, callback_id: 'calls.no-such-view' }
  const submission = await slack.submit(url, { view, values: {}, user: member.user })
  expect(JSON.stringify(submission.result)).toContain(unusable)
  await app.logged('"interaction":"submission","outcome":"forged"')
})

it('apologizes for a malformed click', async () => {
  const { member, slack, url, logs } = app
  const message = await member.command('/calls')
  const action = { action_id: 'calls.refresh', value: '1' }
  const click = await slack.clickRaw(url, { message, user: member.user, action, fields: { user: { id: 1 } } })
  expect(await click.waitForMessage(5000)).toShow(unusable)
  await app.logged('"interaction":"click","outcome":"forged"')
  expect(logs.join('')).not.toContain('a listener failed')
})
