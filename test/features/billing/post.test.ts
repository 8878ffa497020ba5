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
    expect(first).not.toShow('424242')
    const ticked = await admin.click(first, 'billing.post.include', ['card', 'limit'])
    expect(ticked).toShow('424242******4242', '$500.00', 'Business Plus')
    expect(await admin.click(ticked, 'billing.post.send')).toShow('Posted to')
    const [post] = slack.messages({ channel: finance })
    const shown = post?.blocks.map(({ block_id: _id, ...block }) => block) ?? []
    const previewed = ticked.blocks.map(({ block_id: _id, ...block }) => block)
    expect(shown.length).toBe(3)
    for (const block of shown) expect(previewed).toContainEqual(block)
    expect(post).toShow('Posted by admin with Callboard')
    expect(await admin.command('/billing audit')).toShow(`post billing, channel <#${finance.id}>`)
  })

  it('posts once for two clicks, and nothing on Cancel', async () => {
    const { admin } = app
    const message = await preview()
    await Promise.all([1, 2, 3].map(() => admin.press(message, 'billing.post.send')))
    await app.logged('"interaction":"billing.post.send"', 3)
    expect(posts()).toHaveLength(1)
    expect(await admin.click(await preview(), 'billing.post.cancel')).toShow('Nothing was posted')
    expect(posts()).toHaveLength(1)
  })

  it('refuses a channel that it is not in, an archived and a shared one, and what is no channel', async () => {
    const at = (name: string, more: object) => `<#${app.slack.addChannel({ name, ...more }).id}|${name}>`
    expect(await preview(at('away', { isMember: false }))).toShow('/invite @Callboard')
    expect(await preview(at('old', { isArchived: true }))).toShow('is archived')
    expect(await preview(at('partners', { isExtShared: true }))).toShow('shared with another company')
    expect(await preview(at('hidden', { isPrivate: true, isMember: false }))).toShow('/invite @Callboard')
    expect(await preview('finance')).toShow('is no channel')
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
    slack.failNext('chat.postMessage', { body: { ok: false, error: 'no_such_code' } })
    expect(await admin.click(await preview(), 'billing.post.send')).toShow('(no_such_code)')
    slack.failNext('chat.postMessage', { cut: true })
    expect(await admin.click(await preview(), 'billing.post.send')).toShow('it may have been posted')
  })
})
