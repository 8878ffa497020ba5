import { beforeEach, expect, it } from 'vitest'
import { readableText } from '../../../dev/slack/readable-text.ts'
import type { Message } from '../../../dev/slack/slack.ts'
import { minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

const refused = (error: string) => ({ body: { ok: false, error } })

/** Returns the lines of the log under the reference that the answer shows. */
function readLog(answer: Message): string {
  const [, reference = ''] = /Ref (\w+)/.exec(readableText(answer)) ?? []
  return app.logs.filter((line) => line.includes(`"req":"${reference}"`)).join('')
}

beforeEach(async () => {
  await app.member.command('/calls help')
  // People are cached for a minute.
  app.clock.ahead += 2 * minuteMs
})

it.each(['missing_scope', 'access_denied', 'accesslimited', 'ekm_access_denied', 'not_allowed_token_type'])(
  "doesn't ask to try again after %s, and logs it under the reference that the person sees",
  async (code) => {
    app.slack.failNext('users.info', refused(code))
    const answer = await app.member.command('/calls')
    expect(answer).toShow(`Slack didn't let Callboard do this (${code}).`)
    expect(answer).not.toShow('Try again')
    expect(readLog(answer)).toContain(code)
  },
)

const temporary = ['internal_error', 'fatal_error', 'update_failed', 'fetch_members_failed', 'rate_limited']
const moving = ['team_added_to_org', 'external_channel_migrating', 'org_login_required']
const overloaded = ['service_unavailable', 'request_timeout', 'message_limit_exceeded']
const codes = [...temporary, ...moving, ...overloaded]
it.each<[fault: Parameters<typeof app.slack.failNext>[1], code: string]>([
  ...codes.map((code): [object, string] => [refused(code), code]),
  [{ status: 503, body: 'down' }, 'http_503'],
  [{ status: 429, body: 'slow down', headers: { 'retry-after': '30' } }, 'ratelimited'],
  [{ cut: true }, 'UND_ERR_SOCKET'],
  [{ body: '<html>' }, 'NOT_SLACK_JSON'],
])('asks to try again after %j, and logs %s', async (fault, code) => {
  app.slack.failNext('users.info', fault)
  const answer = await app.member.command('/calls')
  expect(answer).toShow("Slack didn't respond in time. Try again")
  expect(readLog(answer)).toContain(`users.info failed: ${code}`)
})

it.each([
  ['views.open', () => app.admin.type('/calls connect')],
  ['chat.postMessage', async () => app.admin.submit(await app.admin.open('/billing post'))],
])('logs the code of a failed %s', async (method, act) => {
  app.slack.failNext(method, refused('team_access_refused'))
  await act()
  await app.logged(`${method} failed: team_access_refused`)
})

it('logs the code of a refused answer', async () => {
  const list = await app.member.command('/calls')
  app.slack.failNext('response_url', { status: 404, body: { ok: false, error: 'used_url' } })
  await app.member.press(list, 'calls.page.next')
  await app.logged('"code":"used_url"')
})

it('asks to install the app after the token was revoked, without account details', async () => {
  app.slack.workspace.botToken = 'xoxb-another'
  const answer = await app.slack.as(app.slack.people.owner).command('/calls')
  expect(answer).toShow('Ask a workspace admin to install it')
  expect(answer.blocks).toHaveLength(1)
})
