import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Exchange, View } from '../../../dev/slack/slack.ts'
import { modal, plain } from './block-kit/samples.ts'
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
  test('opens a view once', async () => {
    const { client, slack } = fixture
    const exchange = await command()
    const trigger_id = trigger(exchange)
    const { view } = await client.views.open({ trigger_id, view: modal([field('key', 'key.input')]) })
    expect(view).toMatchObject({
      id: expect.any(String),
      hash: expect.any(String),
      callback_id: '',
      state: { values: {} },
    })
    expect((await exchange.waitForView()).id).toBe(view?.id)
    expect(await getError(client.views.open({ trigger_id, view: modal([field('a', 'b')]) }))).toBe(
      'exchanged_trigger_id',
    )
    expect(slack.openViews()).toHaveLength(1)
  })

  test('expires after three seconds', async () => {
    const { client, slack } = fixture
    const trigger_id = trigger(await command())
    slack.advance(3100)
    const view = modal([field('a', 'b')])
    expect(await getError(client.views.open({ trigger_id, view }))).toBe('expired_trigger_id')
    expect(await getError(client.views.open({ trigger_id: '1.2.3', view }))).toBe('invalid_trigger_id')
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

describe('views.update', () => {
  test('changes the view', async () => {
    const { client, slack } = fixture
    const view = await opened()
    const next = modal([field('key', 'key.input')], { title: plain('Next') })
    await client.views.update({ view_id: view.id, view: next })
    expect(slack.view(view.id)).toMatchObject({ title: plain('Next'), id: view.id })
    expect(await getError(client.views.update({ view_id: 'V9', view: next }))).toBe('not_found')
  })
})

describe('a submission', () => {
  const choices = ['in', 'out'].map((value) => ({ text: plain(value), value }))
  const form = () =>
    opened(
      modal(
        [
          field('key', 'key.input', { initial_value: 'before' }),
          {
            type: 'input',
            block_id: 'way',
            optional: true,
            label: plain('Way'),
            element: { type: 'static_select', action_id: 'way.input', options: choices },
          },
          {
            type: 'input',
            block_id: 'day',
            optional: true,
            label: plain('Day'),
            element: { type: 'datepicker', action_id: 'day.input', initial_date: '2026-11-05' },
          },
          {
            type: 'input',
            block_id: 'who',
            optional: true,
            label: plain('Who'),
            element: { type: 'multi_users_select', action_id: 'who.input' },
          },
        ],
        { callback_id: 'form', private_metadata: '{"team":"T1"}' },
      ),
    )

  test('contains the input and the initial values', async () => {
    const { slack, app } = fixture
    const view = await form()
    const exchange = await slack.submit(app.url, {
      view,
      values: { 'key.input': 'abc', way: 'out', 'who.input': ['U1', 'U2'] },
    })
    const { payload } = app.received.at(-1) ?? {}
    expect(payload).toMatchObject({
      type: 'view_submission',
      user: { id: slack.people.member.id },
      trigger_id: expect.any(String),
      response_urls: [],
      view: {
        id: view.id,
        hash: view.hash,
        callback_id: 'form',
        private_metadata: '{"team":"T1"}',
        app_installed_team_id: slack.workspace.teamId,
        state: {
          values: {
            key: { 'key.input': { type: 'plain_text_input', value: 'abc' } },
            way: { 'way.input': { type: 'static_select', selected_option: choices[1] } },
            day: { 'day.input': { type: 'datepicker', selected_date: '2026-11-05' } },
            who: { 'who.input': { type: 'multi_users_select', selected_users: ['U1', 'U2'] } },
          },
        },
      },
    })
    expect(exchange.result).toEqual({ action: 'closed' })
    expect(slack.view(view.id)).toBeUndefined()
    await expect(slack.submit(app.url, { view })).rejects.toThrow(/closed/)
  })

  test('keeps the input after an error, like the modal', async () => {
    const { slack, app } = fixture
    const view = await form()
    app.respond = () => ({ json: { response_action: 'errors', errors: { key: 'wrong' } } })
    const first = await slack.submit(app.url, { view, values: { key: 'abc', day: null } })
    expect(first.result).toEqual({ action: 'errors', errors: { key: 'wrong' } })
    await slack.submit(app.url, { view })
    expect(app.received.at(-1)?.payload).toHaveProperty(
      ['view', 'state', 'values', 'key', 'key.input', 'value'],
      'abc',
    )
    expect(app.received.at(-1)?.payload).toHaveProperty(
      ['view', 'state', 'values', 'day', 'day.input', 'selected_date'],
      null,
    )
  })

  test("isn't sent if a required field is empty", async () => {
    const { slack, app } = fixture
    const view = await form()
    await expect(slack.submit(app.url, { view, values: { key: null } })).rejects.toThrow(
      /key.input is required/,
    )
    expect(app.received).toHaveLength(1)
    await slack.submit(app.url, { view, values: { key: null }, force: true })
    expect(app.received).toHaveLength(2)
  })

  test('updates the modal, which may be updated again later', async () => {
    const { slack, app, client } = fixture
    const view = await form()
    app.respond = () => ({
      json: { response_action: 'update', view: modal([{ type: 'divider' }], { submit: undefined }) },
    })
    const exchange = await slack.submit(app.url, { view })
    expect(exchange.result).toMatchObject({ action: 'updated', view: { id: view.id } })
    await client.views.update({
      view_id: view.id,
      view: modal([{ type: 'divider' }], { title: plain('Done') }),
    })
    expect((await exchange.waitForView(2)).title?.text).toBe('Done')
    expect(slack.violations).toEqual([])
  })

  test.each<[string, object, RegExp]>([
    [
      'errors under a block that is not there',
      { response_action: 'errors', errors: { 'key.input': 'wrong' } },
      /block_id of an input block/,
    ],
    ['errors under none', { response_action: 'errors', errors: {} }, /at least one/],
    ['an action that is none', { response_action: 'replace' }, /./],
    ['a message', { text: 'Saved' }, /text/],
    ['a view that breaks a rule', { response_action: 'update', view: modal([]) }, /fewer than 1/],
    [
      'a home tab',
      { response_action: 'update', view: { type: 'home', blocks: [{ type: 'divider' }] } },
      /modal/,
    ],
  ])("answered with %s doesn't change the modal", async (_name, json, reason) => {
    const { slack, app } = fixture
    const view = await form()
    app.respond = () => ({ json })
    const { result } = await slack.submit(app.url, { view })
    expect(result).toEqual({ action: 'failed', reason: expect.stringMatching(reason) })
    expect(slack.takeViolations().length).toBeGreaterThan(0)
    expect(slack.view(view.id)).toEqual(view)
  })

  test('that fails reports it', async () => {
    const { slack, app } = fixture
    const view = await form()
    app.respond = () => ({ status: 500 })
    expect((await slack.submit(app.url, { view })).result).toEqual({
      action: 'failed',
      reason: 'dispatch_failed',
    })
    expect(slack.violations).toEqual([])
  })
})

describe('a view', () => {
  test('disappears when it is closed, without notifying the app', async () => {
    const { slack, app } = fixture
    const view = await opened()
    const before = app.received.length
    slack.closeView({ view })
    expect(slack.openViews()).toEqual([])
    expect(app.received).toHaveLength(before)
    expect(() => slack.closeView({ view })).toThrow(/closed/)
  })

  test('requests options while a person types', async () => {
    const { slack, app } = fixture
    const element = { type: 'external_select', action_id: 'agent', min_query_length: 2 }
    const view = await opened(modal([{ type: 'input', block_id: 'agent', label: plain('Agent'), element }]))
    const found = { text: plain('Anna'), value: '7' }
    app.respond = () => ({ json: { options: [found] } })
    const { options } = await slack.suggest(app.url, { view, action_id: 'agent', value: 'an' })
    expect(options).toEqual([found])
    expect(app.received.at(-1)?.payload).toMatchObject({
      type: 'block_suggestion',
      action_id: 'agent',
      block_id: 'agent',
      value: 'an',
      view: { id: view.id },
    })
    await expect(slack.suggest(app.url, { view, action_id: 'agent', value: 'a' })).rejects.toThrow(/below 2/)
    app.respond = () => ({ json: { options: [{ text: plain('x'.repeat(76)), value: '7' }] } })
    expect((await slack.suggest(app.url, { view, action_id: 'agent', value: 'an' })).options).toEqual([])
    expect(slack.takeViolations()).toHaveLength(1)
    app.respond = () => ({})
    await slack.submit(app.url, { view, values: { agent: found } })
    expect(app.received.at(-1)?.payload).toHaveProperty(
      'view.state.values.agent.agent.selected_option',
      found,
    )
  })

  test('sends input at once only from blocks with dispatch_action', async () => {
    const { slack, app, client } = fixture
    const input = (id: string, more: object = {}) => ({ ...field(id, `${id}.input`), ...more })
    const view = await opened(modal([input('now', { dispatch_action: true }), input('later')]))
    await slack.click(app.url, { view, action_id: 'now.input', choose: 'abc', values: { later: 'kept' } })
    const { payload } = app.received.at(-1) ?? {}
    expect(payload).toMatchObject({
      type: 'block_actions',
      actions: [{ block_id: 'now', action_id: 'now.input', value: 'abc' }],
      view: { id: view.id, state: { values: { later: { 'later.input': { value: 'kept' } } } } },
    })
    const next = modal([input('now', { dispatch_action: true }), input('later')], { title: plain('Next') })
    await client.views.update({ view_id: view.id, view: next })
    const updated = slack.view(view.id) ?? view
    await slack.submit(app.url, { view: updated })
    expect(app.received.at(-1)?.payload).toHaveProperty('view.state.values.now', {
      'now.input': { type: 'plain_text_input', value: 'abc' },
    })
    const silent = await opened(modal([input('later')]))
    await expect(
      slack.click(app.url, { view: silent, action_id: 'later.input', choose: 'abc' }),
    ).rejects.toThrow(/no dispatch_action/)
  })

  test('of the home tab is published for one person', async () => {
    const { client, slack, app } = fixture
    const home = (text: string) => ({
      type: 'home' as const,
      blocks: [{ type: 'header' as const, text: plain(text) }, ...buttons('refresh')],
    })
    const { admin } = slack.people
    const { view } = await client.views.publish({ user_id: admin.id, view: home('One') })
    await client.views.publish({ user_id: admin.id, hash: view?.hash ?? '', view: home('Two') })
    expect(
      await getError(
        client.views.publish({ user_id: admin.id, hash: view?.hash ?? '', view: home('Three') }),
      ),
    ).toBe('hash_conflict')
    expect(slack.home(admin)?.blocks[0]).toMatchObject({ text: plain('Two') })
    expect(slack.home(slack.people.member)).toBeUndefined()
    expect(slack.openViews()).toEqual([])
    const published = slack.home(admin)
    if (published === undefined) throw new Error('no home')
    const click = await slack.click(app.url, { view: published, action_id: 'refresh' })
    expect(click.payload).toMatchObject({ user: { id: admin.id }, view: { type: 'home' } })
    expect(
      await getError(client.apiCall('views.publish', { user_id: admin.id, view: modal(buttons('a')) })),
    ).toBe('invalid_arguments')
    expect(slack.takeViolations()).toHaveLength(1)
  })
})
