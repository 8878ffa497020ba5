import { describe, expect, it } from 'vitest'
import { hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })
const open = (channel = '') => app.admin.open(`/billing post ${channel}`.trim())
const posts = () => app.slack.callsTo('chat.postMessage')
const mention = ({ id, name }: { id: string; name: string }) => `<#${id}|${name}>`
const unavailable = "The phone service isn't responding"

describe('/billing post', () => {
  it('previews the post, without card and limit unless they are ticked', async () => {
    const { admin, slack } = app
    const finance = slack.addChannel({ name: 'finance' })
    const modal = await open(mention(finance))
    expect(JSON.stringify(modal.blocks)).toContain(`"initial_conversation":"${finance.id}"`)
    expect(modal).toShow('Preview', 'Billing: $244.99 a month', 'Posted by admin with Callboard')
    expect(modal).not.toShow('4242', '$500.00')
    expect(modal).toShow('Business Plus', 'Everyone in the channel will see this, and what you tick above.')
    expect(posts()).toEqual([])
    expect(await admin.submit(modal, { include: ['card', 'limit'] })).toShow(`Posted in <#${finance.id}>.`)
    const [post] = slack.messages({ channel: finance })
    expect(post).toShow('Visa ending 4242', '$500.00', "Call costs aren't included.", 'Posted by admin with')
    expect(post?.blocks.map(({ type }) => type)).toContain('table')
    expect(await admin.command('/billing audit')).toShow(`posted the bill in <#${finance.id}>`)
  })

  it('posts the figures of that time in the channel that is chosen, from /billing too', async () => {
    const { admin, slack, sandbox } = app
    const finance = slack.addChannel({ name: 'finance' })
    const billing = await admin.command('/billing')
    const modal = await admin.open(billing, 'command.post')
    expect(JSON.stringify(modal.blocks)).toContain(`"initial_conversation":"${slack.general.id}"`)
    sandbox.faults.next({ kind: 'set', record: { total_monthly: '$1.00' } }, { operation: 'billing' })
    expect(await admin.submit(modal, { channel: finance.id })).toShow('Posted in')
    const [post, ...others] = slack.messages({ channel: finance })
    expect(post).toShow('Billing: $1.00 a month')
    expect(others).toEqual([])
    expect(slack.message(billing.ts)).toEqual(billing)
  })

  it('posts once for several submissions', async () => {
    const modal = await open()
    const done = await Promise.all([1, 2, 3].map(() => app.admin.submit(modal, {}, { force: true })))
    expect(posts()).toHaveLength(1)
    const isRepeated = done.map((view) => JSON.stringify(view.blocks).includes('Already posted'))
    expect(isRepeated.sort()).toEqual([false, true, true])
    app.clock.ahead += 23 * hourMs
    expect(await app.admin.submit(modal, {}, { force: true })).toShow('Already posted.')
    expect(await app.admin.submit(await open(), {}, { force: true })).toShow('Posted in')
  })

  it.each([
    ['a private channel that Callboard is in', 'finance', { isPrivate: true }],
    ['a private channel that Callboard is in', '#Finance', { isPrivate: true }],
    ['a public channel', 'finance', { isMember: false }],
  ])('finds %s as %s', async (_, typed, fields) => {
    const finance = app.slack.addChannel({ name: 'finance', ...fields })
    expect(await app.admin.submit(await open(typed))).toShow(`Posted in <#${finance.id}>`)
  })

  it('asks for the channel if the words name none', async () => {
    const { slack } = app
    slack.addChannel({ name: 'away', isPrivate: true, isMember: false })
    slack.addChannel({ name: 'elsewhere', members: [] })
    slack.addChannel({ name: 'board', isPrivate: true, members: [] })
    const budget = mention(slack.addChannel({ name: 'budget' }))
    for (const [words, shown] of [
      ['finanse', 'finanse'],
      ['away', 'away'],
      ['elsewhere', 'elsewhere'],
      ['board', 'board'],
      [`${budget} please`, '#budget please'],
    ] as const) {
      const modal = await open(words)
      expect(modal).toShow(`I couldn't find a channel named "${shown}". Choose one.`, 'Preview')
      expect(JSON.stringify(modal.blocks)).not.toContain('initial_conversation')
    }
  })

  it.each([
    ['a refusal', { body: { ok: false, error: 'restricted_action' } }, 'only some people post'],
    ['a code that nobody knows', { body: { ok: false, error: 'no_such_code' } }, '(no_such_code)'],
    ['a pause', { body: { ok: false, error: 'org_login_required' } }, "isn't accepting messages right now"],
  ])('says that nothing was posted if Slack answers with %s', async (_, fault, why) => {
    app.slack.failNext('chat.postMessage', fault)
    expect(await app.admin.submit(await open())).toShow('Nothing was posted. ', why)
    expect(await app.admin.command('/billing audit')).not.toShow('posted the bill')
  })

  it("says that the post may be there if Slack doesn't answer", async () => {
    app.slack.failNext('chat.postMessage', { cut: true })
    expect(await app.admin.submit(await open())).toShow('the post may or may not be there')
    expect(await app.admin.command('/billing audit')).toShow('posted the bill in', 'not confirmed by Slack')
  })

  it('offers to try again if the phone service is away', async () => {
    const { admin, sandbox } = app
    const away = () => sandbox.faults.next({ kind: 'html' }, { times: 3, operation: 'billing' })
    away()
    const failed = await admin.command('/billing post')
    expect(failed).toShow(unavailable)
    const modal = await admin.open(failed, 'command.post')
    away()
    expect(await admin.submit(modal)).toShow(unavailable, 'Ref ', 'Post to a channel…')
    sandbox.faults.next({ kind: 'status', status: 400 }, { operation: 'billing' })
    expect(await admin.command('/billing post')).toShow('refused this request: the billing details.')
    sandbox.faults.next({ kind: 'status', status: 400 }, { operation: 'billing' })
    expect(await admin.command('/billing')).toShow('refused this request: the billing details.')
    expect(posts()).toEqual([])
  })
})
