import { describe, expect, it } from 'vitest'
import type { View } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })
const open = (channel = '') => app.admin.open(`/billing post ${channel}`.trim())
const posts = () => app.slack.callsTo('chat.postMessage')
const mention = ({ id, name }: { id: string; name: string }) => `<#${id}|${name}>`

describe('/billing post', () => {
  it('previews the post, without card and limit unless they are ticked', async () => {
    const { admin, slack } = app
    const finance = slack.addChannel({ name: 'finance' })
    const modal = await open(mention(finance))
    expect(JSON.stringify(modal.blocks)).toContain(`"initial_conversation":"${finance.id}"`)
    expect(modal).toShow('Preview', 'Billing: $244.99 a month', 'Posted by admin with Callboard')
    expect(modal).not.toShow('4242', '$500.00')
    const ticked = await admin.open(modal, 'billing.post.include', ['card', 'limit'])
    expect(ticked).toShow('Visa ending 4242', '$500.00', 'Business Plus')
    expect(posts()).toEqual([])
    const done = await admin.submit(ticked)
    const [post] = slack.messages({ channel: finance })
    const link = `https://team-1.slack.com/archives/${finance.id}/p${post?.ts.replace('.', '')}`
    expect(done).toShow(`Posted in <#${finance.id}>. <${link}|View post>`)
    expect(post).toShow('Visa ending 4242', "Call costs aren't included.", 'Posted by admin with Callboard')
    expect(post?.blocks.map(({ type }) => type)).toContain('table')
    expect(await admin.command('/billing audit')).toShow(`posted the bill in <#${finance.id}>`)
  })

  it('posts in the channel that is chosen, from /billing too', async () => {
    const { admin, slack } = app
    const finance = slack.addChannel({ name: 'finance' })
    const billing = await admin.command('/billing')
    const modal = await admin.open(billing, 'command.post')
    expect(JSON.stringify(modal.blocks)).toContain(`"initial_conversation":"${slack.general.id}"`)
    expect(await admin.submit(modal, { channel: finance.id })).toShow('Posted in')
    expect(slack.messages({ channel: finance })).toHaveLength(1)
    expect(slack.message(billing.ts)).toEqual(billing)
  })

  it('posts once for two submissions', async () => {
    const { admin } = app
    const modal = await open()
    const done = await Promise.all([1, 2, 3].map(() => admin.submit(modal, {}, { force: true })))
    expect(posts()).toHaveLength(1)
    const texts = done.map((view) => JSON.stringify(view.blocks)).sort()
    expect(texts.map((text) => text.includes('Already posted'))).toEqual([true, true, false])
  })

  it("refuses a channel that doesn't accept posts", async () => {
    const { admin, slack } = app
    const getRefusal = async (name: string, more: object) => {
      const { id } = slack.addChannel({ name, ...more })
      return (await admin.submit(await open(), { channel: id }, { force: true })).errors['channel']
    }
    expect(await getRefusal('old', { isArchived: true })).toContain('is archived')
    expect(await getRefusal('partners', { isExtShared: true })).toContain('shared with another company')
    expect(await getRefusal('hidden', { isPrivate: true, isMember: false })).toContain('/invite @Callboard')
    expect(posts()).toEqual([])
  })

  it('joins a public channel', async () => {
    const { admin, slack } = app
    const away = slack.addChannel({ name: 'away', isMember: false })
    const modal = await open(mention(away))
    expect(modal).toShow('Callboard joins a public channel.')
    expect(await admin.submit(modal)).toShow('Posted in')
    expect(slack.messages({ channel: away })).toHaveLength(1)
  })

  it('finds a channel by its name without #, if the person and Callboard are in it', async () => {
    const { admin, slack } = app
    const finance = slack.addChannel({ name: 'finance', isPrivate: true })
    for (const name of ['finance', '#Finance']) {
      const modal = await open(name)
      expect(JSON.stringify(modal.blocks)).toContain(`"initial_conversation":"${finance.id}"`)
      expect(await admin.submit(modal)).toShow('Posted in')
    }
    expect(slack.messages({ channel: finance })).toHaveLength(2)
  })

  it('asks for the channel if the words name none', async () => {
    const { slack } = app
    slack.addChannel({ name: 'away', isMember: false })
    slack.addChannel({ name: 'board', isPrivate: true, members: [] })
    const budget = mention(slack.addChannel({ name: 'budget' }))
    for (const [words, shown] of [
      ['finanse', 'finanse'],
      ['away', 'away'],
      ['board', 'board'],
      [`${budget} please`, '#budget please'],
    ] as const) {
      const modal = await open(words)
      expect(modal).toShow(`I couldn't find a channel named "${shown}". Choose one.`, 'Preview')
      expect(JSON.stringify(modal.blocks)).not.toContain('initial_conversation')
    }
    expect(posts()).toEqual([])
  })

  it('checks the channel again when it is submitted, and posts the figures of that time', async () => {
    const { admin, slack, sandbox } = app
    const modal = await open()
    slack.general.isExtShared = true
    const { errors } = await admin.submit(modal, {}, { force: true })
    expect(errors['channel']).toContain('shared with another company')
    slack.general.isExtShared = false
    sandbox.faults.next({ kind: 'set', record: { total_monthly: '$1.00' } }, { operation: 'billing' })
    expect(await admin.submit(modal)).toShow('Posted in')
    expect(slack.messages({ channel: slack.general }).at(-1)).toShow('Billing: $1.00 a month')
  })

  it('says whether it was posted if Slack refuses the post or does not respond', async () => {
    const { admin, slack } = app
    const submit = async (): Promise<View> => admin.submit(await open())
    slack.failNext('chat.postMessage', { body: { ok: false, error: 'restricted_action' } })
    expect(await submit()).toShow('Nothing was posted', 'only some people post in that channel')
    slack.failNext('chat.getPermalink', { body: { ok: false, error: 'message_not_found' } })
    const posted = await submit()
    expect(posted).toShow('Posted in')
    expect(posted).not.toShow('View post')
    for (const code of ['no_such_code', 'org_login_required'])
      slack.failNext('chat.postMessage', { body: { ok: false, error: code } })
    expect(await submit()).toShow('(no_such_code)')
    expect(await submit()).toShow("Slack isn't accepting messages right now")
    slack.failNext('chat.postMessage', { cut: true })
    expect(await submit()).toShow('the post may or may not be there')
    const audit = await admin.command('/billing audit')
    expect(audit).toShow(`posted the bill in <#${slack.general.id}>: not confirmed by Slack`)
  })

  it('offers to try again if the phone service is away', async () => {
    const { admin, sandbox } = app
    const away = () => sandbox.faults.next({ kind: 'html' }, { times: 3, operation: 'billing' })
    away()
    const failed = await admin.command('/billing post')
    expect(failed).toShow("The phone service isn't responding")
    const modal = await admin.open(failed, 'command.post')
    away()
    expect(await admin.submit(modal)).toShow("The phone service isn't responding")
    sandbox.faults.next({ kind: 'status', status: 400 }, { operation: 'billing' })
    expect(await admin.command('/billing post')).toShow('refused this request: the billing details.')
    expect(posts()).toEqual([])
  })
})
