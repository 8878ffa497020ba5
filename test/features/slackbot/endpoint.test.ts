import { beforeEach, describe, expect, it } from 'vitest'
import { signature } from '../../../dev/slack/actions/app-client.ts'
import { noWorkspaceText } from '../../../src/features/slackbot/routes.ts'
import { useApp } from '../../support/app.ts'
import { installTeam, withOAuth } from '../../support/oauth.ts'
import { createSlackbot } from './slackbot.ts'

interface Sent {
  readonly body?: string
  readonly secret?: string
  readonly ageSeconds?: number
  readonly headers?: Record<string, string>
  readonly method?: string
}

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }

describe('the address of the tools', () => {
  const app = useApp()

  async function send({ body = JSON.stringify(ping), ...how }: Sent) {
    const timestamp = Math.floor(Date.now() / 1000) - (how.ageSeconds ?? 0)
    const response = await fetch(`${app.url}/slack/mcp`, {
      method: how.method ?? 'POST',
      ...(how.method === 'GET' ? {} : { body }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-slack-request-timestamp': String(timestamp),
        'x-slack-signature': signature(body, how.secret ?? app.slack.signingSecret, timestamp),
        ...how.headers,
      },
    })
    const text = await response.text()
    const json = /^data: (.*)$/m.exec(text)?.[1] ?? text
    return { status: response.status, answer: json === '' ? undefined : JSON.parse(json) }
  }

  beforeEach(async () => {
    expect(await send({})).toEqual({ status: 200, answer: { jsonrpc: '2.0', id: 7, result: {} } })
  })

  it.each<[string, Sent, number]>([
    ['somebody else signed', { secret: 'not the secret' }, 401],
    ['nobody signed', { headers: { 'x-slack-signature': '' } }, 401],
    ['is sent again after five minutes', { ageSeconds: 301 }, 401],
    ['is too large', { body: `"${'x'.repeat(1024 * 1024)}"` }, 413],
  ])('refuses what %s', async (_, sent, status) => {
    expect(await send(sent)).toEqual({ status, answer: undefined })
    expect(app.sandbox.requests.count()).toBe(0)
  })

  it.each<[string, Sent, number, number]>([
    ["isn't JSON", { body: '{"jsonrpc":' }, 400, -32_700],
    ['is no JSON-RPC', { body: '{"hello":"there"}' }, 400, -32_600],
    ["says it isn't JSON", { headers: { 'content-type': 'text/plain' } }, 415, -32_000],
    [
      'calls an unknown tool',
      { body: JSON.stringify({ ...ping, method: 'tools/call', params: { name: 'delete_calls' } }) },
      200,
      -32_602,
    ],
  ])('answers with an error what %s', async (_, sent, status, code) => {
    expect(await send(sent)).toMatchObject({ status, answer: { jsonrpc: '2.0', error: { code } } })
    expect(app.sandbox.requests.count()).toBe(0)
  })

  it('accepts only POST requests, because there are no sessions', async () => {
    for (const method of ['GET', 'DELETE']) expect((await send({ method })).status).toBe(405)
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect(await send({ body })).toEqual({ status: 202, answer: undefined })
  })
})

describe('without tools', () => {
  const app = useApp({ config: { mcp: false } })

  it("doesn't exist", async () => {
    expect((await fetch(`${app.url}/slack/mcp`, { method: 'POST', body: '{}' })).status).toBe(404)
  })
})

describe("under an organization's installation", () => {
  const app = useApp(withOAuth)

  it("serves the person's workspace", async () => {
    const enterprise = { enterpriseId: 'E0ORG', enterpriseName: 'Org' }
    const { team, admin } = await installTeam(app.slack, { isOrganization: true, enterprise })
    await app.connect(app.sandbox.accounts.lively, admin)
    const slackbot = await createSlackbot(app)
    const identity = { user_id: admin.user.id, team_id: team.teamId, enterprise_id: 'E0ORG' }
    expect((await slackbot.call('list_calls', {}, identity)).shown).toContain('incoming calls')
    expect((await slackbot.call('list_calls', {}, { ...identity, team_id: null })).text).toBe(noWorkspaceText)
  })
})
