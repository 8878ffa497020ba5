import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

const unusable = "can't be used any more"

it.each([
  ['with an unknown id', {}, 'not recognized: click calls.no-such'],
  ['with a malformed payload', { user: { id: 1 } }, 'not recognized: click'],
])('shows an error below the message for a click %s, and logs it', async (_, fields, logged) => {
  const { member, slack, url } = app
  const message = await member.command('/calls')
  const action = { action_id: 'calls.no-such', value: '1' }
  const click = await slack.clickRaw(url, { message, user: member.user, action, fields })
  const answer = await click.waitForMessage(5000)
  expect(answer).toShow(unusable)
  expect(answer.ts).not.toBe(message.ts)
  await app.logged(logged)
  await app.logged('"interaction":"click","outcome":"forged"')
  expect(app.logs.join('')).not.toContain('a request failed')
})

it('shows an error for an unknown view', async () => {
  const filter = await app.member.open(await app.member.command('/calls'), 'calls.filter')
  expect(await app.member.submit({ ...filter, callback_id: 'calls.no-such-view' })).toShow(unusable)
  await app.logged('"interaction":"view","outcome":"forged"')
})

it("shows an empty menu if its options can't be loaded, or if its id is unknown", async () => {
  const { member, slack } = app
  const view = await member.open(await member.command('/calls'), 'calls.filter')
  expect(await member.suggest(view, 'calls.agent', '')).not.toEqual([])
  // After the cached person has expired.
  app.clock.ahead += 6 * 60_000
  slack.failNext('users.info', { body: { ok: false, error: 'internal_error' } })
  expect(await member.suggest(view, 'calls.agent', '')).toEqual([])
  await app.logged('"interaction":"options calls.agent","outcome":"slack-unavailable"')
  const body = { type: 'block_suggestion', action_id: 'calls.other', user: { id: member.user.id }, view }
  const { text } = await slack.raw(app.url, { body: `payload=${encodeURIComponent(JSON.stringify(body))}` })
  expect(text).toBe('{"options":[]}')
  await app.logged('not recognized: options calls.other')
})

it.each(['', '{"v":0,"team":"T0TEAM1"}'])(
  'apologizes for a modal with the metadata of another version, without logging an error: %s',
  async (metadata) => {
    const { member, admin, logs } = app
    const filter = await member.open(await member.command('/calls'), 'calls.filter')
    expect(await member.submit({ ...filter, private_metadata: metadata })).toShow(unusable)
    const connect = await admin.open('/calls connect')
    const values = { key: 'k', secret: 's' }
    expect(await admin.submit({ ...connect, private_metadata: metadata }, values)).toShow(unusable)
    const details = await admin.open(await admin.command('/agents hollis'), 'agents.details')
    await admin.press({ ...details, private_metadata: metadata }, 'agents.reveal')
    await app.logged('"interaction":"click","outcome":"forged"')
    expect(logs.join('')).not.toMatch(/"outcome":"error"|"unexpected"|a request failed/)
  },
)
