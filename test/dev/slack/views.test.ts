import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Exchange, View } from '../../../dev/slack/slack.ts'
import { input, modal, option, plain } from './block-kit/samples.ts'
import { buttons, field, getError, getRefusal, useFixture } from './fixture.ts'

const fixture = useFixture()
const trigger = ({ payload }: Exchange) => z.string().parse(payload.trigger_id)
const command = () => fixture.slack.command(fixture.app.url, { command: '/calls' })

async function opened(view: object = modal([field('key', 'key.input')])): Promise<View> {
  const exchange = await command()
  await fixture.client.apiCall('views.open', { trigger_id: trigger(exchange), view })
  return exchange.waitForView()
}

describe('a trigger_id', () => {
  test('opens a view once, within three seconds', async () => {
    const { client, slack } = fixture
    const view = modal([field('a', 'b')])
    const open = (trigger_id: string) => getError(client.views.open({ trigger_id, view }))
    const [used, late] = [trigger(await command()), trigger(await command())]
    expect([await open(used), await open(used)]).toEqual(['none', 'exchanged_trigger_id'])
    slack.advance(3100)
    expect([await open(late), await open('1.2.3')]).toEqual(['expired_trigger_id', 'invalid_trigger_id'])
    expect(slack.openViews()).toHaveLength(1)
  })

  test('is not used up by a view that is refused', async () => {
    const { client, slack } = fixture
    const trigger_id = trigger(await command())
    const wrong = modal([field('a', 'b')], { title: plain('x'.repeat(25)) })
    expect(await getRefusal(client.views.open({ trigger_id, view: wrong }))).toEqual({
      error: 'invalid_arguments',
      messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'],
    })
    expect(slack.takeViolations()).toHaveLength(1)
    await client.views.open({ trigger_id, view: modal([field('a', 'b')]) })
  })
})

test('another workspace’s token neither opens nor changes a view here', async () => {
  const { client, slack } = fixture
  const { botToken: token } = slack.addTeam().team
  const view = modal([field('a', 'b')])
  const trigger_id = trigger(await command())
  expect(await getError(client.views.open({ token, trigger_id, view }))).toBe('invalid_trigger_id')
  const { id: view_id } = await opened()
  expect(await getError(client.views.update({ token, view_id, view }))).toBe('not_found')
})

describe('a submission', () => {
  const key = field('key', 'key.input', { initial_value: 'before' })
  const picker = { type: 'datepicker', action_id: 'day.input', initial_date: '2026-11-05' }
  const day = input(picker, { block_id: 'day', optional: true })
  const form = () => opened(modal([key, day], { callback_id: 'form', private_metadata: '{"team":"T1"}' }))

  test('contains the input and the initial values', async () => {
    const { slack, app } = fixture
    const view = await form()
    await slack.submit(app.url, { view, values: { 'key.input': 'abc' } })
    const values = {
      key: { 'key.input': { type: 'plain_text_input', value: 'abc' } },
      day: { 'day.input': { type: 'datepicker', selected_date: '2026-11-05' } },
    }
    expect(app.received.at(-1)?.payload).toMatchObject({
      user: { id: slack.people.member.id },
      response_urls: [],
      view: { id: view.id, hash: view.hash, private_metadata: '{"team":"T1"}', state: { values } },
    })
    expect(slack.view(view.id)).toBeUndefined()
  })

  test('keeps the input after an error, like the modal', async () => {
    const { slack, app } = fixture
    const view = await form()
    app.respond = () => ({ json: { response_action: 'errors', errors: { key: 'wrong' } } })
    const first = await slack.submit(app.url, { view, values: { key: 'abc', day: null } })
    expect(first.result).toEqual({ action: 'errors', errors: { key: 'wrong' } })
    await slack.submit(app.url, { view })
    const values = { key: { 'key.input': { value: 'abc' } }, day: { 'day.input': { selected_date: null } } }
    expect(app.received.at(-1)?.payload).toMatchObject({ view: { state: { values } } })
  })

  const misplaced = { response_action: 'errors', errors: { 'key.input': 'wrong' } }
  test.each<[string, object, RegExp]>([
    ['errors under a block that is not there', misplaced, /block_id of an input block/],
    ['a message', { text: 'Saved' }, /text/],
    ['a view that breaks a rule', { response_action: 'update', view: modal([]) }, /fewer than 1/],
  ])("answered with %s doesn't change the modal", async (_name, json, reason) => {
    const { slack, app } = fixture
    const view = await form()
    app.respond = () => ({ json })
    const { result } = await slack.submit(app.url, { view })
    expect(result).toEqual({ action: 'failed', reason: expect.stringMatching(reason) })
    expect(slack.takeViolations().length).toBeGreaterThan(0)
    expect(slack.view(view.id)).toEqual(view)
  })
})

describe('a view', () => {
  test('requests options from a minimum length on, and refuses invalid ones', async () => {
    const { slack, app } = fixture
    const agent = { type: 'external_select', action_id: 'agent', min_query_length: 2 }
    const view = await opened(modal([input(agent)]))
    const suggest = (value: string) => slack.suggest(app.url, { view, action_id: 'agent', value })
    await expect(suggest('a')).rejects.toThrow(/below 2/)
    app.respond = () => ({ json: { options: [option('7', 'x'.repeat(76))] } })
    expect((await suggest('an')).options).toEqual([])
    expect(slack.takeViolations()).toHaveLength(1)
  })

  test('sends input at once only from blocks with dispatch_action', async () => {
    const { slack, app, client } = fixture
    const now = { ...field('now', 'now.input'), dispatch_action: true }
    const body = modal([now, field('later', 'later.input')])
    const view = await opened(body)
    const choice = { view, action_id: 'now.input', choose: 'abc' }
    const { payload } = await slack.click(app.url, { ...choice, values: { later: 'kept' } })
    expect(payload).toMatchObject({
      actions: [{ block_id: 'now', action_id: 'now.input', value: 'abc' }],
      view: { id: view.id, state: { values: { later: { 'later.input': { value: 'kept' } } } } },
    })
    const other = slack.click(app.url, { ...choice, action_id: 'later.input' })
    await expect(other).rejects.toThrow(/no dispatch_action/)
    // An update keeps the input.
    await client.views.update({ view_id: view.id, view: { ...body, title: plain('Next') } })
    const { payload: submitted } = await slack.submit(app.url, { view: slack.view(view.id) ?? view })
    expect(submitted).toHaveProperty('view.state.values.now', {
      'now.input': expect.objectContaining({ value: 'abc' }),
    })
  })

  test('of the home tab is published for one person', async () => {
    const { client, slack } = fixture
    const { admin } = slack.people
    const publish = (text: string, hash?: string) => {
      const view = { type: 'home', blocks: [{ type: 'header', text: plain(text) }] }
      return client.apiCall('views.publish', { user_id: admin.id, view, ...(hash && { hash }) })
    }
    await publish('One')
    const { hash } = slack.home(admin)!
    await publish('Two', hash)
    expect(await getError(publish('Three', hash))).toBe('hash_conflict')
    expect(slack.home(admin)?.blocks[0]).toMatchObject({ text: plain('Two') })
    expect(slack.home(slack.people.member)).toBeUndefined()
    expect(slack.openViews()).toEqual([])
    const wrong = client.apiCall('views.publish', { user_id: admin.id, view: modal(buttons('a')) })
    expect(await getError(wrong)).toBe('invalid_arguments')
    expect(slack.takeViolations()).toHaveLength(1)
  })
})
