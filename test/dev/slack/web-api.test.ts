import { describe, expect, test } from 'vitest'
import { plain, section, times } from './block-kit/samples.ts'
import { getError, getRefusal, useFixture } from './fixture.ts'

const fixture = useFixture()
const scoped = useFixture({ scopes: ['commands'] })
/** This stand-in's clock only moves with `advance`. */
const timed = useFixture({ now: () => 1_800_000_000_000 })

describe('tokens', () => {
  test('belong to one team each', async () => {
    const { client, slack } = fixture
    const { team, people } = slack.addTeam()
    const user = people.admin.id
    expect(await client.auth.test()).toMatchObject({ team_id: 'T0TEAM1' })
    expect(await client.auth.test({ token: team.botToken })).toMatchObject({ team_id: 'T0TEAM2' })
    expect(await getError(client.users.info({ user }))).toBe('user_not_found')
    expect(await getError(client.users.info({ token: team.botToken, user }))).toBe('none')
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
    const post = client.chat.postMessage({ channel: slack.general.id, text: 'a' })
    expect(await getError(post)).toBe('missing_scope')
  })
})

test('people have only their roles in the organization for its token', async () => {
  const { team, people } = fixture.slack.addTeam({ enterpriseId: 'E1' })
  team.isEnterpriseInstall = true
  Object.assign(people.member.enterprise_user ?? {}, { is_admin: true })
  const ask = async (user: string) => (await fixture.client.users.info({ token: team.botToken, user })).user
  expect(await ask(people.owner.id)).toMatchObject({ is_admin: false, is_owner: false })
  expect(await ask(people.member.id)).toMatchObject({ is_admin: true, enterprise_user: { is_admin: true } })
})

describe('messages', () => {
  test('are only found by their ts, and by known methods', async () => {
    const { client, slack } = fixture
    const place = { channel: slack.general.id, ts: '1.2' }
    const link = client.chat.getPermalink({ ...place, message_ts: '1.2' })
    expect(await getError(link)).toBe('message_not_found')
    expect(await getError(client.chat.update({ ...place, text: 'three' }))).toBe('message_not_found')
    expect(await getError(client.chat.delete(place))).toBe('unknown_method')
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
  })

  test('are refused with reasons if they are invalid', async () => {
    const { client, slack } = fixture
    const post = (blocks: object[]) =>
      client.apiCall('chat.postMessage', { channel: slack.general.id, text: 'a', blocks })
    expect(await getRefusal(post([{ type: 'header', text: plain('') }]))).toEqual({
      error: 'invalid_blocks',
      messages: ['[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
    })
    expect(slack.takeViolations()).toMatchObject([{ where: 'chat.postMessage' }])
    const long = times(5, () => section({ text: plain('x'.repeat(2500)) }))
    expect(await getError(post(long))).toBe('msg_blocks_too_long')
    expect(slack.takeViolations()).toHaveLength(1)
  })

  test('with a link must turn off previews', async () => {
    const { client, slack } = fixture
    const message = { channel: slack.general.id, text: 'see <https://example.com|here>' }
    const flags = { unfurl_links: false, unfurl_media: false }
    const unfurled = client.chat.postMessage({ ...message, unfurl_links: false })
    expect(await getError(unfurled)).toBe('invalid_blocks')
    expect(slack.takeViolations()).toMatchObject([{ path: '/unfurl_media' }])
    const { ts = '' } = await client.chat.postMessage({ ...message, ...flags })
    expect((await client.chat.update({ ...message, ts })).ok).toBe(true)
  })
})

test('calls are limited per minute: by method and workspace, and posts by channel', async () => {
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

test('a file is uploaded completely and once, and shared in a conversation, not with a person', async () => {
  const { client, slack } = fixture
  const offer = await client.files.getUploadURLExternal({ filename: 'a', length: 3 })
  const post = async (body: string) => (await fetch(offer.upload_url!, { method: 'POST', body })).status
  const complete = (channel_id: string) =>
    getError(client.files.completeUploadExternal({ files: [{ id: offer.file_id! }], channel_id }))
  expect(await post('abcd')).toBe(400)
  expect(slack.takeViolations()).toMatchObject([{ where: 'upload' }])
  expect(await complete(slack.general.id)).toBe('file_not_found')
  expect([await post('abc'), await post('abc')]).toEqual([200, 404])
  expect(await complete(slack.people.member.id)).toBe('invalid_arguments')
  expect(await complete('C0NOWHERE')).toBe('channel_not_found')
  expect(await complete(slack.general.id)).toBe('none')
})

test('an upload requires a scope, a name and a length', async () => {
  const ask = (filename: string, length: number, { client } = fixture) =>
    getError(client.files.getUploadURLExternal({ filename, length }))
  expect(await ask('a', 1, scoped)).toBe('missing_scope')
  expect(await ask('a', 0)).toBe('missing_argument')
  expect(await ask('', 1)).toBe('missing_argument')
})
