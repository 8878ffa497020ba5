import { describe, expect, it } from 'vitest'
import type { Message } from '../../../dev/slack/slack.ts'
import { buttonsOf, rowsOf, useHouse } from '../../support/app.ts'

const house = useHouse()
const textOf = (message: Message) => JSON.stringify([message.text, message.blocks])

async function preview(text = 'post') {
  const { say, slack } = house()
  return (await say(text, slack.people.admin, '/billing')).waitForMessage()
}
const posts = () => house().slack.callsTo('chat.postMessage')

describe('/billing post', () => {
  it('shows exactly what it then posts, without card and limit unless they are ticked', async () => {
    const { connect, slack, url, say } = house()
    await connect()
    const finance = slack.addChannel({ name: 'finance' })
    const first = await preview(`post <#${finance.id}|finance>`)
    expect(first.onlyFor).toBe(slack.people.admin.id)
    expect(textOf(first)).not.toContain('424242')
    const ticked = await slack.click(url, {
      message: first,
      action_id: 'billing.post.include',
      choose: ['card', 'limit'],
      user: slack.people.admin,
    })
    const message = await ticked.waitForMessage()
    for (const part of ['424242******4242', '$500.00', 'Business Plus'])
      expect(textOf(message)).toContain(part)
    const sent = await slack.click(url, { message, action_id: 'billing.post.send', user: slack.people.admin })
    expect(textOf(await sent.waitForMessage())).toContain('Posted to')
    const [post] = slack.messages({ channel: finance })
    const shown = post?.blocks.map(({ block_id: _id, ...block }) => block) ?? []
    const previewed = message.blocks.map(({ block_id: _id, ...block }) => block)
    expect(shown.length).toBe(3)
    for (const block of shown) expect(previewed).toContainEqual(block)
    expect(JSON.stringify(shown.at(-1))).toContain(slack.people.admin.id)
    const audit = await (await say('audit', slack.people.admin, '/billing')).waitForMessage()
    expect(textOf(audit)).toContain(`post billing, channel <#${finance.id}>`)
  })

  it('posts once for two clicks, and nothing on Cancel', async () => {
    const { connect, slack, url, click } = house()
    await connect()
    const message = await preview()
    const click2 = () =>
      slack.click(url, { message, action_id: 'billing.post.send', user: slack.people.admin })
    await Promise.all([click2(), click2(), click2()])
    await slack.waitFor(() => posts()[0])
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(posts()).toHaveLength(1)
    expect(textOf(await click(await preview(), 'billing.post.cancel', slack.people.admin))).toContain(
      'Nothing was posted',
    )
    expect(posts()).toHaveLength(1)
  })

  it('refuses a channel that it is not in, an archived and a shared one, and what is no channel', async () => {
    const { connect, slack } = house()
    await connect()
    const at = (name: string, more: object) => `post <#${slack.addChannel({ name, ...more }).id}|${name}>`
    expect(textOf(await preview(at('away', { isMember: false })))).toContain('/invite @Callboard')
    expect(textOf(await preview(at('old', { isArchived: true })))).toContain('is archived')
    expect(textOf(await preview(at('partners', { isExtShared: true })))).toContain(
      'shared with another company',
    )
    expect(textOf(await preview(at('hidden', { isPrivate: true, isMember: false })))).toContain(
      '/invite @Callboard',
    )
    expect(textOf(await preview('post finance'))).toContain('is no channel')
    expect(posts()).toHaveLength(0)
  })

  it('looks again when it is posted: at the channel, the person and the figures', async () => {
    const { connect, slack, click, sandbox } = house()
    await connect()
    const admin = slack.people.admin
    const message = await preview()
    slack.general.isExtShared = true
    expect(textOf(await click(message, 'billing.post.send', admin))).toContain('shared with another company')
    slack.general.isExtShared = false
    const again = await preview()
    sandbox.faults.next({ kind: 'set', record: { total_monthly: '$1.00' } }, { operation: 'billing' })
    expect(textOf(await click(again, 'billing.post.send', admin))).toContain('The figures have changed')
    expect(posts()).toHaveLength(0)
  })

  it('says so where Slack refuses the post or does not answer', async () => {
    const { connect, slack, click } = house()
    await connect()
    const admin = slack.people.admin
    slack.failNext('chat.postMessage', { body: { ok: false, error: 'restricted_action' } })
    expect(textOf(await click(await preview(), 'billing.post.send', admin))).toContain(
      'Slack refused the post',
    )
    slack.failNext('chat.postMessage', { cut: true })
    expect(textOf(await click(await preview(), 'billing.post.send', admin))).toContain(
      'it may have been posted',
    )
  })
})

describe('Share', () => {
  it('puts the page shown into the channel, attributed, and leaves the list to the person', async () => {
    const { connect, ask, slack, url } = house()
    await connect()
    const list = await ask('missed')
    await slack.click(url, { message: list, action_id: 'calls.more', choose: 'share' })
    const shared = await slack.waitFor(() => slack.messages().find(({ onlyFor }) => onlyFor === undefined))
    expect(rowsOf(shared)).toEqual(rowsOf(list))
    expect(buttonsOf(shared)).toEqual([])
    expect(textOf(shared)).toContain(slack.people.member.id)
    expect(slack.message(list.ts)).toEqual(list)

    const agents = await (await house().say('anna', slack.people.member, '/agents')).waitForMessage()
    await slack.click(url, { message: agents, action_id: 'agents.more', choose: 'share' })
    const both = await slack.waitFor(() => {
      const all = slack.messages().filter(({ onlyFor }) => onlyFor === undefined)
      return all.length === 2 ? all : undefined
    })
    expect(textOf(both[1]!)).toContain('Anna Schmidt')
  })

  it('refuses where the channel is shared with another company, below the list', async () => {
    const { connect, ask, slack, url } = house()
    await connect()
    const list = await ask('')
    slack.general.isExtShared = true
    const clicked = await slack.click(url, { message: list, action_id: 'calls.more', choose: 'share' })
    expect(textOf(await clicked.waitForMessage())).toContain('shared with another company')
    expect(slack.message(list.ts)).toEqual(list)
    expect(slack.messages().filter(({ onlyFor }) => onlyFor === undefined)).toEqual([])
  })
})
