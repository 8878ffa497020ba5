import { describe, expect, test } from 'vitest'
import type { Exchange, Message } from '../../../dev/slack/slack.ts'
import { option, plain, section } from './block-kit/samples.ts'
import { buttons, postTo, useFixture } from './fixture.ts'
import type { TinyResponse } from './tiny-app.ts'

const fixture = useFixture()

/** Sends a command that the app acknowledges with this response. */
function command(json: object = {}): Promise<Exchange> {
  fixture.app.respond = () => ({ json })
  return fixture.slack.command(fixture.app.url, { command: '/calls', user: fixture.slack.people.member })
}

describe('a slash command', () => {
  test('is form-encoded and complete', async () => {
    const { slack, app } = fixture
    await slack.command(app.url, { command: '/calls', text: 'in & "out"' })
    const { headers, payload } = app.received[0]!
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(payload).toEqual({
      token: expect.any(String),
      team_id: slack.workspace.teamId,
      team_domain: 'team-1',
      channel_id: slack.general.id,
      channel_name: 'general',
      user_id: slack.people.member.id,
      user_name: 'member',
      command: '/calls',
      text: 'in & "out"',
      api_app_id: slack.workspace.appId,
      is_enterprise_install: 'false',
      response_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/commands\//),
      trigger_id: expect.any(String),
    })
  })

  test('shows the message of its acknowledgement, by default only to the person', async () => {
    const { slack, app } = fixture
    const own = await (await command({ text: 'hello', blocks: buttons('next') })).waitForMessage()
    expect(own).toMatchObject({ text: 'hello', onlyFor: slack.people.member.id, via: 'ack' })
    const open = await (await command({ text: 'hello all', response_type: 'in_channel' })).waitForMessage()
    expect(open.onlyFor).toBeUndefined()
    app.respond = () => ({ text: 'only text' })
    const text = await (await slack.command(app.url, { command: '/calls' })).waitForMessage()
    expect(text.text).toBe('only text')
    expect((await command()).messages).toEqual([])
    expect(slack.messages({ user: slack.people.admin })).toEqual([open])
    expect(slack.violations).toEqual([])
  })

  test('with an invalid response shows nothing, and records the violation', async () => {
    const exchange = await command({ text: 'a', blocks: [{ type: 'header', text: plain('x'.repeat(151)) }] })
    expect(exchange).toMatchObject({ status: 200, error: 'invalid_blocks', messages: [] })
    expect(fixture.slack.takeViolations()).toEqual([
      { where: 'acknowledgement', path: '/blocks/0/text/text', rule: 'must be less than 151 characters' },
    ])
    expect(fixture.slack.violations).toEqual([])
  })
})

describe('an acknowledgement', () => {
  const impatient = useFixture({ ackTimeoutMs: 50 })

  test('that arrives too late is ignored', async () => {
    const { promise, resolve } = Promise.withResolvers<TinyResponse>()
    impatient.app.respond = () => promise
    const exchange = await impatient.slack.command(impatient.app.url, { command: '/calls' })
    resolve({ json: { text: 'late' } })
    expect(exchange).toMatchObject({ timedOut: true, status: 0, error: 'operation_timeout', messages: [] })
  })
})

describe('a response_url', () => {
  test('of a command shows a new message each time, ephemeral by default', async () => {
    const exchange = await command({ text: 'first' })
    const { response_url: url } = exchange.payload
    expect(await postTo(url, { text: 'second', replace_original: true })).toEqual({ status: 200, text: 'ok' })
    await postTo(url, { text: 'third', response_type: 'in_channel' })
    const shown = await exchange.waitForMessages(3)
    expect(shown.map((one) => [one.text, one.via, one.onlyFor === undefined])).toEqual([
      ['first', 'ack', false],
      ['second', 'response_url', false],
      ['third', 'response_url', true],
    ])
    expect(new Set(shown.map((one) => one.ts)).size).toBe(3)
  })

  test('works five times within 30 minutes, including failed posts', async () => {
    const { payload, posts } = await command()
    fixture.slack.failNext('response_url', { status: 503, body: 'down' })
    const statuses: number[] = []
    for (let use = 1; use <= 5; use++)
      statuses.push((await postTo(payload.response_url, { text: 'a' })).status)
    expect(statuses).toEqual([503, 200, 200, 200, 200])
    expect(await postTo(payload.response_url, { text: 'a' })).toEqual({
      status: 404,
      text: '{"ok":false,"error":"used_url"}',
    })
    expect(posts.at(-1)?.error).toBe('used_url')
    fixture.slack.advance(30 * 60 * 1000 + 1)
    expect((await postTo(payload.response_url, { text: 'a' })).text).toContain('expired_url')
  })

  test('refuses an invalid message, with only the error code', async () => {
    const { slack } = fixture
    const exchange = await command()
    const { response_url: url } = exchange.payload
    expect(await postTo(url, { text: 'a', blocks: [{ type: 'zork' }] })).toEqual({
      status: 400,
      text: '{"ok":false,"error":"invalid_blocks"}',
    })
    expect(await postTo(url, {})).toEqual({ status: 400, text: '{"ok":false,"error":"no_text"}' })
    expect(exchange.messages).toEqual([])
    expect(slack.takeViolations()).toHaveLength(2)
    expect(slack.callsTo('response_url').map((call) => call.error)).toEqual(['invalid_blocks', 'no_text'])
  })
})

describe('a click', () => {
  const shown = async (response_type = 'ephemeral') => {
    const exchange = await command({ text: 'page 1', response_type, blocks: buttons('first', 'next') })
    fixture.app.respond = () => ({})
    return exchange.waitForMessage()
  }
  const click = (message: Message, choice: object = {}) =>
    fixture.slack.click(fixture.app.url, { message, action_id: 'next', ...choice })

  test('sends the element, the place and the person', async () => {
    const { slack, app } = fixture
    const message = await shown()
    await click(message)
    const { payload } = app.received.at(-1)!
    expect(payload).toMatchObject({
      user: { id: slack.people.member.id, team_id: slack.workspace.teamId },
      enterprise: null,
      container: { message_ts: message.ts, channel_id: slack.general.id, is_ephemeral: true },
      channel: { id: slack.general.id, name: 'general' },
      response_url: expect.stringContaining('/actions/'),
      actions: [{ type: 'button', action_id: 'next', block_id: message.blocks[0]?.block_id, value: 'next' }],
    })
    expect(payload).not.toHaveProperty('message')
  })

  test('without replace_original shows a new message, which stays ephemeral', async () => {
    const { guest } = fixture.slack.people
    const { payload, messages } = await click(await shown('in_channel'), { user: guest })
    expect(payload).toHaveProperty('message.text', 'page 1')
    await postTo(payload.response_url, { text: 'for you' })
    await postTo(payload.response_url, { text: 'for all', replace_original: true })
    expect(messages.map(({ text, onlyFor }) => [text, onlyFor])).toEqual([
      ['for you', guest.id],
      ['for all', undefined],
    ])
  })

  test('on an ephemeral message never shows it to others', async () => {
    const exchange = await click(await shown())
    const body = { text: 'still mine', replace_original: true, response_type: 'in_channel' }
    await postTo(exchange.payload.response_url, body)
    expect((await exchange.waitForMessage()).onlyFor).toBe(fixture.slack.people.member.id)
  })

  test('deletes the message, for which delete_original must be the only field', async () => {
    const message = await shown()
    const { response_url: url } = (await click(message)).payload
    await postTo(url, { delete_original: true })
    expect(fixture.slack.message(message.ts)).toBeUndefined()
    expect(fixture.slack.violations).toEqual([])
    await postTo(url, { delete_original: true, text: 'gone' })
    expect(fixture.slack.takeViolations()).toMatchObject([{ rule: 'delete_original with text' }])
  })

  test('drops the message in its acknowledgement', async () => {
    const message = await shown()
    fixture.app.respond = () => ({ json: { text: 'page 2', replace_original: true } })
    const { dropped, messages } = await click(message)
    expect(dropped).toEqual({ text: 'page 2', replace_original: true })
    expect(fixture.slack.dropped).toEqual([dropped])
    expect(messages).toEqual([])
    expect(fixture.slack.message(message.ts)).toEqual(message)
  })

  test('is only possible on visible elements', async () => {
    const message = await shown()
    await expect(click(message, { action_id: 'last' })).rejects.toThrow(/last; there is: first, next/)
    const { admin } = fixture.slack.people
    await expect(click(message, { user: admin })).rejects.toThrow(/only member sees/)
  })
})

test('a choice in a menu leaves the same menu of other blocks unchanged', async () => {
  const menu = (block_id: string, ...values: string[]) => ({
    ...section({ text: plain(block_id) }),
    block_id,
    accessory: { type: 'static_select', action_id: 'mute', options: values.map((value) => option(value)) },
  })
  const exchange = await command({ text: 'two', blocks: [menu('first', '1'), menu('second', '2')] })
  const message = await exchange.waitForMessage()
  fixture.app.respond = () => ({})
  const choice = { message, action_id: 'mute', choose: '2' }
  const { payload } = await fixture.slack.click(fixture.app.url, { ...choice, block_id: 'second' })
  expect(payload).toMatchObject({
    actions: [{ block_id: 'second', selected_option: { value: '2' } }],
    state: {
      values: {
        first: { mute: { selected_option: null } },
        second: { mute: { selected_option: option('2') } },
      },
    },
  })
})
