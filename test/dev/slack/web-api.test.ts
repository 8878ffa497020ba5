import { describe, expect, test } from 'vitest'
import { plain } from './block-kit/samples.ts'
import { buttons, getError, getRefusal, useFixture } from './fixture.ts'

const fixture = useFixture()
const scoped = useFixture({ scopes: ['commands'] })
/** This stand-in's clock only moves with `advance`. */
const timed = useFixture({ now: () => 1_800_000_000_000 })
const channelScoped = useFixture({ scopes: ['channels:read', 'groups:read'] })

async function json(method: string, body: object, token = fixture.slack.botToken): Promise<unknown> {
  const response = await fetch(`${fixture.slack.apiUrl}${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  return response.json()
}

describe('tokens', () => {
  test('belong to one team each', async () => {
    const { client, slack } = fixture
    const { team, people } = slack.addTeam()
    expect(await client.auth.test()).toMatchObject({
      ok: true,
      team_id: 'T0TEAM1',
      bot_id: expect.any(String),
    })
    expect(await client.auth.test({ token: team.botToken })).toMatchObject({ team_id: 'T0TEAM2' })
    expect(await getError(client.users.info({ user: people.admin.id }))).toBe('user_not_found')
    expect(await client.users.info({ token: team.botToken, user: people.admin.id })).toMatchObject({
      ok: true,
    })
  })

  test('are refused if they are wrong or missing, and never recorded', async () => {
    const { client, slack } = fixture
    expect(await getError(client.auth.test({ token: 'xoxb-wrong' }))).toBe('invalid_auth')
    const response = await fetch(`${slack.apiUrl}auth.test`, { method: 'POST' })
    expect(await response.json()).toEqual({ ok: false, error: 'not_authed' })
    await client.users.info({ user: slack.people.admin.id })
    expect(slack.calls.map(({ ms: _ms, ...call }) => call)).toEqual([
      { method: 'auth.test', args: {}, team: undefined, error: 'invalid_auth' },
      { method: 'auth.test', args: {}, team: undefined, error: 'not_authed' },
      { method: 'users.info', args: { user: slack.people.admin.id }, team: 'T0TEAM1' },
    ])
  })

  test('are limited to their scopes', async () => {
    const { client, slack } = scoped
    await client.auth.test()
    expect(await getError(client.users.info({ user: slack.people.admin.id }))).toBe('missing_scope')
    expect(await getError(client.chat.postMessage({ channel: slack.general.id, text: 'a' }))).toBe(
      'missing_scope',
    )
  })

  test('require separate scopes for direct messages and group messages', async () => {
    const { client, slack } = channelScoped
    const group = slack.addChannel({ name: 'mpdm-a--b-1', isPrivate: true, isGroupMessage: true })
    const direct = slack.addChannel({ id: 'D0A', name: 'directmessage', directWith: 'U0A' })
    const hidden = slack.addChannel({ name: 'hidden', isPrivate: true, isMember: false })
    const ask = (channel: string) => getError(client.conversations.info({ channel }))
    expect(await ask(group.id)).toBe('missing_scope')
    expect(await ask(direct.id)).toBe('missing_scope')
    expect(await ask(hidden.id)).toBe('channel_not_found')
    expect(await client.conversations.info({ channel: slack.general.id })).toMatchObject({ ok: true })
  })
})

test('ephemeral messages end with the session of the person who sees them', async () => {
  const { slack, app } = fixture
  app.respond = () => ({ json: { text: 'for you' } })
  const { member, admin } = slack.people
  for (const user of [member, admin]) await slack.command(app.url, { command: '/calls', user })
  slack.endSession(member)
  expect(slack.messages().map(({ onlyFor }) => onlyFor)).toEqual([admin.id])
})

describe('people and channels', () => {
  test('returns roles in the organization for its token', async () => {
    const { client, slack } = fixture
    const { team, people } = slack.addTeam({ enterpriseId: 'E1', enterpriseName: 'Big' })
    const ask = async (user: string) => (await client.users.info({ token: team.botToken, user })).user
    expect(await ask(people.owner.id)).toMatchObject({ is_owner: true, enterprise_user: { is_owner: false } })
    team.isEnterpriseInstall = true
    expect(await ask(people.owner.id)).toMatchObject({ is_admin: false, is_owner: false })
    Object.assign(people.member.enterprise_user ?? {}, { is_admin: true })
    expect(await ask(people.member.id)).toMatchObject({ is_admin: true, enterprise_user: { is_admin: true } })
  })

  test("returns a channel's shared teams, and pages through its members", async () => {
    const { client, slack } = fixture
    const members = ['U1', 'U2', 'U3', 'U4']
    const channel = slack.addChannel({ name: 'shared', sharedWith: ['T9'], members })
    expect((await client.conversations.info({ channel: channel.id })).channel).toMatchObject({
      is_shared: true,
      is_ext_shared: false,
      is_org_shared: true,
      shared_team_ids: ['T0TEAM1', 'T9'],
    })
    const first = await client.conversations.members({ channel: channel.id, limit: 3 })
    expect(first.members).toEqual([slack.workspace.botUserId, 'U1', 'U2'])
    const cursor = first.response_metadata?.next_cursor ?? ''
    const second = await client.conversations.members({ channel: channel.id, limit: 3, cursor })
    expect(second).toMatchObject({ members: ['U3', 'U4'], response_metadata: { next_cursor: '' } })
    const wrong = (more: object) => getError(client.conversations.members({ channel: channel.id, ...more }))
    expect(await wrong({ limit: 1000 })).toBe('invalid_limit')
    expect(await wrong({ cursor: 'nothing' })).toBe('invalid_cursor')
  })

  test('hide a private channel without the bot', async () => {
    const { client, slack } = fixture
    const info = (channel: string) => client.conversations.info({ channel })
    expect((await info(slack.general.id)).channel).toMatchObject({
      name: 'general',
      is_member: true,
      is_private: false,
    })
    expect(await getError(info('C9'))).toBe('channel_not_found')
    const secret = slack.addChannel({ name: 'secret', isPrivate: true, isMember: false })
    expect(await getError(info(secret.id))).toBe('channel_not_found')
  })
})

describe('messages', () => {
  test('are posted and updated', async () => {
    const { client, slack } = fixture
    const channel = slack.general.id
    const { ts = '' } = await client.chat.postMessage({
      channel,
      text: 'one',
      blocks: buttons('a'),
      unfurl_links: false,
    })
    expect(slack.message(ts)).toMatchObject({
      text: 'one',
      via: 'api',
      channel,
      blocks: [{ type: 'actions' }],
    })
    await client.chat.update({ channel, ts, text: 'two' })
    expect(slack.message(ts)).toMatchObject({ text: 'two', blocks: [] })
    const { permalink } = await client.chat.getPermalink({ channel, message_ts: ts })
    expect(permalink).toBe(`https://team-1.slack.com/archives/${channel}/p${ts.replace('.', '')}`)
    expect(await getError(client.chat.getPermalink({ channel, message_ts: '1.2' }))).toBe('message_not_found')
    expect(await getError(client.chat.update({ channel, ts: '1.2', text: 'three' }))).toBe(
      'message_not_found',
    )
    expect(await getError(client.chat.delete({ channel, ts }))).toBe('unknown_method')
    expect(slack.violations).toEqual([])
  })

  test("are posted to the bot's channels and to people", async () => {
    const { client, slack } = fixture
    const post = (channel: string) => getError(client.chat.postMessage({ channel, text: 'a' }))
    const elsewhere = slack.addChannel({ name: 'elsewhere', isMember: false })
    expect(await post(elsewhere.id)).toBe('not_in_channel')
    elsewhere.isMember = true
    elsewhere.isArchived = true
    expect(await post(elsewhere.id)).toBe('is_archived')
    expect(await post('C9')).toBe('channel_not_found')
    expect(await post(slack.people.admin.id)).toBe('none')
    expect(slack.messages()[0]?.channel).toMatch(/^D/)
  })

  test('are updated in their channel, unless it is archived or hidden from the bot', async () => {
    const { client, slack } = fixture
    const board = slack.addChannel({ name: 'board', isPrivate: true })
    const { ts = '' } = await client.chat.postMessage({ channel: board.id, text: 'one' })
    const update = (channel = board.id) => getError(client.chat.update({ channel, ts, text: 'two' }))
    expect(await update()).toBe('none')
    board.isArchived = true
    expect(await update()).toBe('is_inactive')
    Object.assign(board, { isArchived: false, isMember: false })
    expect(await update()).toBe('channel_not_found')
    board.isMember = true
    expect(await update(slack.general.id)).toBe('message_not_found')
    expect(slack.message(ts)?.text).toBe('two')
    const { admin } = slack.people
    const direct = await client.chat.postMessage({ channel: admin.id, text: 'one' })
    const change = (channel = '') =>
      getError(client.chat.update({ channel, ts: direct.ts ?? '', text: 'two' }))
    expect(await change(admin.id)).toBe('channel_not_found')
    expect(await change(direct.channel)).toBe('none')
  })

  test('are refused with reasons if they are invalid', async () => {
    const { client, slack } = fixture
    const call = client.chat.postMessage({
      channel: slack.general.id,
      text: 'a',
      blocks: [{ type: 'header', text: plain('') }],
    })
    expect(await getRefusal(call)).toEqual({
      error: 'invalid_blocks',
      messages: ['[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
    })
    expect(slack.takeViolations()).toMatchObject([{ where: 'chat.postMessage' }])
    const wide = Array.from({ length: 5 }, () => ({
      type: 'section',
      expand: true,
      text: plain('x'.repeat(2500)),
    }))
    expect(
      await json('chat.postMessage', { channel: slack.general.id, text: 'a', blocks: wide }),
    ).toMatchObject({ ok: false, error: 'msg_blocks_too_long' })
    expect(slack.takeViolations()).toHaveLength(1)
  })

  test('with a link must turn off previews', async () => {
    const { client, slack } = fixture
    const message = { channel: slack.general.id, text: 'see <https://example.com|here>' }
    const flags = { unfurl_links: false, unfurl_media: false }
    expect(await getError(client.chat.postMessage({ ...message, unfurl_links: false }))).toBe(
      'invalid_blocks',
    )
    expect(slack.takeViolations()).toMatchObject([{ path: '/unfurl_media' }])
    const { ts = '' } = await client.chat.postMessage({ ...message, ...flags })
    expect((await client.chat.update({ ...message, ts })).ok).toBe(true)
  })

  test("can't be updated if they are ephemeral", async () => {
    const { client, slack, app } = fixture
    app.respond = () => ({ json: { text: 'mine' } })
    const { ts } = await (await slack.command(app.url, { command: '/calls' })).waitForMessage()
    const update = { channel: slack.general.id, ts, text: 'yours' }
    expect(await getError(client.chat.update(update))).toBe('message_not_found')
  })
})

describe('calls', () => {
  test('may be JSON as well as forms', async () => {
    const { slack } = fixture
    expect(
      await json('chat.postMessage', { channel: slack.general.id, text: '{"a":1}', blocks: buttons('a') }),
    ).toMatchObject({ ok: true })
    await fixture.client.chat.postMessage({
      channel: slack.general.id,
      text: '{"a":1}',
      blocks: buttons('a'),
    })
    expect(slack.messages().map((one) => [one.text, one.blocks[0]?.type])).toEqual([
      ['{"a":1}', 'actions'],
      ['{"a":1}', 'actions'],
    ])
    expect(await json('auth.test', {}, 'xoxb-wrong')).toEqual({ ok: false, error: 'invalid_auth' })
    expect(await json('chat.shout', {})).toMatchObject({ ok: false, error: 'unknown_method' })
  })

  test('are limited per minute: by method and workspace, and posts by channel', async () => {
    const { client, slack } = timed
    const { team, general } = slack.addTeam()
    const other = slack.addChannel({ name: 'other' })
    const post = (channel: string) => client.chat.postMessage({ channel, text: 'a' })
    const { ts = '' } = await post(slack.general.id)
    const update = () => client.chat.update({ channel: slack.general.id, ts, text: 'b' })
    for (let n = 0; n < 50; n++) await update()
    slack.advance(20_000)
    expect(await getError(update())).toBe('ratelimited 40')
    expect(slack.callsTo('chat.update').at(-1)).toMatchObject({ error: 'ratelimited' })
    for (let n = 1; n < 60; n++) await post(slack.general.id)
    expect(await getError(post(slack.general.id))).toMatch(/^ratelimited/)
    expect((await post(other.id)).ok).toBe(true)
    expect((await client.conversations.info({ token: team.botToken, channel: general.id })).ok).toBe(true)
    slack.advance(41_000)
    expect((await update()).ok).toBe(true)
  })

  test('fail once for each fault', async () => {
    const { client, slack } = fixture
    slack.rateLimitNext('auth.test', 30)
    const limited = await fetch(`${slack.apiUrl}auth.test`, { method: 'POST' })
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '30'])
    expect(await limited.json()).toEqual({ ok: false, error: 'ratelimited' })
    slack.failNext('auth.test', { status: 500, body: '<html>' })
    slack.failNext('users.info', { body: { ok: false, error: 'internal_error' } })
    await expect(client.auth.test()).rejects.toThrow()
    expect(await getError(client.users.info({ user: slack.people.admin.id }))).toBe('internal_error')
    expect(await client.auth.test()).toMatchObject({ ok: true })
    slack.failNext('auth.test', { hang: true })
    const hanging = fetch(`${slack.apiUrl}auth.test`, { method: 'POST', signal: AbortSignal.timeout(50) })
    await expect(hanging).rejects.toThrow(/timeout/i)
  })
})
