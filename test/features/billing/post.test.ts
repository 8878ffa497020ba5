import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })
const preview = (channel = '') => app.admin.command(`/billing post ${channel}`.trim())
const posts = () => app.slack.callsTo('chat.postMessage')

describe('/billing post', () => {
  it('shows exactly what it then posts, without card and limit unless they are ticked', async () => {
    const { admin, slack } = app
    const finance = slack.addChannel({ name: 'finance' })
    const first = await preview(`<#${finance.id}|finance>`)
    expect(first.onlyFor).toBe(admin.user.id)
    expect(first).not.toShow('4242', '$500.00')
    const ticked = await admin.click(first, 'billing.post.include', ['card', 'limit'])
    expect(ticked).toShow('Visa ending 4242', '$500.00', 'Business Plus')
    expect(ticked).toShow(
      `Preview, not posted yet.* Everyone in <#${finance.id}> will see:`,
      'Post to #finance',
      'Discard',
    )
    const done = await admin.click(ticked, 'billing.post.send')
    expect(done).toShow(`Posted in <#${finance.id}>.`, 'View post')
    const [post] = slack.messages({ channel: finance })
    const shown = post?.blocks.map(({ block_id: _id, ...block }) => block) ?? []
    const previewed = ticked.blocks.map(({ block_id: _id, ...block }) => block)
    expect(shown.length).toBe(5)
    expect(post).toShow("Call costs aren't included.")
    const link = `https://team-1.slack.com/archives/${finance.id}/p${post?.ts.replace('.', '')}`
    expect(JSON.stringify(done.blocks)).toContain(link)
    expect((await admin.press(done, 'billing.post.view')).messages).toEqual([])
    // A link, and where it is stays, whatever Slack tells of who clicked it.
    app.clock.ahead = 120_000
    slack.failNext('users.info', { status: 500 })
    await admin.press(done, 'billing.post.view')
    await app.logged('"interaction":"billing.post.view","outcome":"slack-unavailable"')
    expect(slack.message(done.ts)).toEqual(done)
    for (const block of shown) expect(previewed).toContainEqual(block)
    expect(post).toShow('Posted by admin with Callboard')
    expect(await admin.command('/billing audit')).toShow(`posted billing to <#${finance.id}>`)
  })

  it('posts once for two clicks, and nothing on Discard', async () => {
    const { admin } = app
    const message = await preview()
    await Promise.all([1, 2, 3].map(() => admin.press(message, 'billing.post.send')))
    await app.logged('"interaction":"billing.post.send"', 3)
    expect(posts()).toHaveLength(1)
    expect(await admin.click(await preview(), 'billing.post.cancel')).toShow('Discarded. Nothing was posted')
    expect(posts()).toHaveLength(1)
  })

  it('leads back to the channel that was chosen', async () => {
    const { admin, slack } = app
    const finance = slack.addChannel({ name: 'finance' })
    const message = await preview(`<#${finance.id}|finance>`)
    const modal = await admin.open(message, 'billing.post.back')
    expect(JSON.stringify(modal.blocks)).toContain(`"initial_conversation":"${finance.id}"`)
    await admin.submit(modal, { channel: slack.general.id })
    await admin.sees(message, 'Post to #general')
    expect(posts()).toEqual([])
  })

  it('refuses a channel that it is not in, an archived and a shared one, and what is no channel', async () => {
    const at = (name: string, more: object) => `<#${app.slack.addChannel({ name, ...more }).id}|${name}>`
    expect(await preview(at('away', { isMember: false }))).toShow('/invite @Callboard')
    expect(await preview(at('old', { isArchived: true }))).toShow('is archived')
    expect(await preview(at('partners', { isExtShared: true }))).toShow('shared with another company')
    expect(await preview(at('hidden', { isPrivate: true, isMember: false }))).toShow('/invite @Callboard')
    const unknown = await preview('finance')
    expect(unknown).toShow(`"finance" isn't a channel here`)
    expect(await app.admin.click(unknown, 'command.post-here')).toShow('Post to #general')
    const tooMuch = await app.admin.command(`/billing post ${at('budget', {})} please`)
    expect(tooMuch).toShow(`"#budget please" isn't a channel here`)
    expect(posts()).toHaveLength(0)
  })

  it('looks again when it is posted: at the channel, the person and the figures', async () => {
    const { admin, slack, sandbox } = app
    const message = await preview()
    slack.general.isExtShared = true
    expect(await admin.click(message, 'billing.post.send')).toShow('shared with another company')
    slack.general.isExtShared = false
    const again = await preview()
    sandbox.faults.next({ kind: 'set', record: { total_monthly: '$1.00' } }, { operation: 'billing' })
    expect(await admin.click(again, 'billing.post.send')).toShow('The figures have changed')
    expect(posts()).toHaveLength(0)
  })

  it('says so where Slack refuses the post or does not answer', async () => {
    const { admin, slack } = app
    slack.failNext('chat.postMessage', { body: { ok: false, error: 'restricted_action' } })
    expect(await admin.click(await preview(), 'billing.post.send')).toShow(
      'only some people post in that channel',
      'Nothing was posted',
    )
    slack.failNext('chat.getPermalink', { body: { ok: false, error: 'message_not_found' } })
    const posted = await admin.click(await preview(), 'billing.post.send')
    expect(posted).toShow('Posted in')
    expect(posted).not.toShow('View post')
    slack.failNext('chat.postMessage', { body: { ok: false, error: 'no_such_code' } })
    expect(await admin.click(await preview(), 'billing.post.send')).toShow('(no_such_code)')
    slack.failNext('chat.postMessage', { cut: true })
    expect(await admin.click(await preview(), 'billing.post.send')).toShow('the post may or may not be there')
    expect(await admin.command('/billing audit')).toShow(
      `posted billing to <#${slack.general.id}>, not confirmed by Slack`,
    )
  })
})

describe('Post to a channel…', () => {
  const choose = async (channel: string) => {
    const { admin } = app
    const billing = await admin.command('/billing')
    const modal = await admin.open(billing, 'billing.post.channel')
    return { billing, modal, result: await admin.submit(modal, { channel }) }
  }
  const newest = () => app.slack.messages().at(-1)

  it('asks which one, and ends in the preview, below what was shown', async () => {
    const { admin, slack } = app
    const finance = slack.addChannel({ name: 'finance' })
    const { billing } = await choose(finance.id)
    const shown = await slack.waitFor(() => (newest()?.ts === billing.ts ? undefined : newest()))
    expect(shown).toShow('Preview, not posted yet.', 'Post to #finance')
    expect(shown.onlyFor).toBe(admin.user.id)
    expect(slack.message(billing.ts)).toEqual(billing)
    expect(posts()).toHaveLength(0)
    expect(await admin.click(shown, 'billing.post.send')).toShow('Posted in')
    expect(slack.messages({ channel: finance })).toHaveLength(1)
  })

  it('begins with the channel where it was clicked', async () => {
    const { admin, slack } = app
    const modal = await admin.open(await admin.command('/billing'), 'billing.post.channel')
    await admin.submit(modal)
    await slack.waitFor(() => (newest()?.text.includes(`<#${slack.general.id}>`) ? 'shown' : undefined))
  })

  it('says below the field why a channel takes no post', async () => {
    const away = app.slack.addChannel({ name: 'away', isMember: false })
    const { result } = await choose(away.id)
    expect(result.errors).toEqual({ channel: expect.stringContaining('/invite @Callboard') })
    expect(posts()).toHaveLength(0)
  })

  it('does not begin what Slack would no longer show', async () => {
    const { admin } = app
    const modal = await admin.open(await admin.command('/billing'), 'billing.post.channel')
    app.clock.ahead = 30 * 60_000
    const { errors } = await admin.submit(modal)
    expect(errors).toEqual({ channel: expect.stringContaining('This form has expired') })
  })

  it('has what was ticked where it is previewed again', async () => {
    const { admin, sandbox } = app
    const ticked = await admin.click(await preview(), 'billing.post.include', ['card'])
    sandbox.faults.next({ kind: 'html' }, { times: 3, operation: 'billing' })
    const failed = await admin.click(ticked, 'billing.post.send')
    expect(await admin.click(failed, 'billing.post.again')).toShow(
      'Preview, not posted yet.',
      'Visa ending 4242',
    )
  })

  it('says below it what went wrong, and shows the preview on Try again', async () => {
    const { admin, slack, sandbox } = app
    const billing = await admin.command('/billing')
    const form = await admin.open(billing, 'billing.post.channel')
    sandbox.faults.next({ kind: 'html' }, { times: 3, operation: 'billing' })
    await admin.submit(form, { channel: slack.general.id })
    const failed = await slack.waitFor(() =>
      newest()?.text.includes("isn't responding") ? newest() : undefined,
    )
    expect(slack.message(billing.ts)).toEqual(billing)
    expect(await admin.click(failed, 'billing.post.again')).toShow('Post to #general')
  })
})
