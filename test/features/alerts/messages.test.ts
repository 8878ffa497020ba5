import { describe, expect, it } from 'vitest'
import { minuteMs } from '../../../src/util/units.ts'
import { written } from '../../support/numbers.ts'
import { getActions } from '../../support/shown.ts'
import { useWatched } from './watched.ts'

const { app, watched } = useWatched({ time: '06:00' })

describe('the message of an alert', () => {
  it('is posted at once with the line, and collects the calls of the next ten minutes', async () => {
    const channel = await watched.add()
    await watched.missed(1)
    const [first] = watched.posts(channel)
    expect(first?.text).toMatch(/^Missed call at [\d:]+ on \+[\d ]+$/)
    expect(first?.blocks.map(({ type }) => type)).toEqual(['header', 'actions', 'context'])
    expect(first).toShow('Times in UTC · Set up by member')
    await watched.missed(3)
    const changed = watched.post(channel)
    expect(changed).toShow('4 missed calls since ')
    expect(changed).not.toShow('Late')
    await watched.pass(10 * minuteMs)
    await watched.missed(1)
    expect(watched.posts(channel)).toHaveLength(2)
  })

  it('stays as it is if the alert moves to another channel, where the next calls are posted', async () => {
    const { channel } = await watched.posted()
    const other = app.slack.addChannel({ name: 'elsewhere' })
    await app.member.sees(await watched.alerts.change({ channel: other.id }), 'Saved.')
    await watched.missed(1)
    expect(watched.posts(channel)[0]).toShow('Missed call at')
    expect(watched.posts(other)).toHaveLength(1)
  })

  it('is taken by the first person who clicks, and closed with who did it and how long it took', async () => {
    const { admin, member } = app
    const { post, channel } = await watched.posted(2)
    expect(getActions(post)).toEqual(['alert.take', 'alert.done', 'alert.show', 'alert.menu'])
    expect(getActions(await watched.take(post))).toEqual(['alert.done', 'alert.show', 'alert.menu'])
    const told = await admin.click(post, 'alert.take')
    expect(told).toShow('Already taken by member at ')
    expect(told.onlyFor).toBe(admin.user.id)
    await watched.pass(5 * minuteMs)
    const done = await watched.finish(post, admin)
    expect(done.blocks).toHaveLength(1)
    expect(done).toShow('2 missed calls since ', 'after 5 min. Taken by *member* at ')
    expect(getActions(done)).toEqual([])
    expect(done).toShow('Reopen')
    expect(await member.click(post, 'alert.done')).toShow('Already done by admin at ')
    // The next call starts a new message.
    await watched.missed(1)
    expect(watched.posts(channel)).toHaveLength(2)
    expect(watched.posts(channel)[0]).toShow('2 missed calls since', 'Done by')
  })

  it.each([
    ['ids', { id: '' }],
    ['times', { 'Date Time': '' }],
  ])('shows its calls, even without %s, to the person who clicks, and stays', async (_, record) => {
    app.sandbox.faults.always({ kind: 'set', record }, { operation: 'incoming' })
    const channel = await watched.add()
    await watched.watch(1)
    // On different lines: without an id, equal calls are one.
    for (const { number } of watched.account.billing.addOn.numbers.slice(0, 2))
      await watched.missed(1, { line: number })
    const list = await app.admin.click(watched.posts(channel)[0]!, 'alert.show')
    expect(list.onlyFor).toBe(app.admin.user.id)
    expect(list).toShow('2 missed calls')
    expect(list).not.toShow('Export…')
    expect(watched.posts(channel)[0]).toShow('2 missed calls since')
  })

  it('stays deleted; the next call starts a new message', async () => {
    const { post, channel } = await watched.posted(2)
    app.slack.failNext('chat.update', { body: { ok: false, error: 'message_not_found' } })
    watched.miss(1)
    await watched.watch(2)
    expect(watched.posts(channel)).toHaveLength(2)
    expect(watched.posts(channel)[1]).toShow('Missed call at')
    expect(app.slack.message(post.ts)).toShow('2 missed calls since')
  })

  it('has a row for each line, those with the most calls first', async () => {
    const [first = '', second = ''] = watched.lines
    const channel = await watched.add()
    await watched.missed(21, { line: first })
    expect(watched.post(channel).text).toMatch(new RegExp(`\n\\*\\${written(first)}\\* · 21 · 06:0`))
    const list = await app.admin.click(watched.post(channel), 'alert.show')
    await watched.missed(22, { line: second })
    const post = watched.post(channel)
    expect(post).toShow('43 missed calls since', 'Take all')
    // Pages of the list have the calls that were added, too.
    expect(await app.admin.click(list, 'calls.page.next')).toShow('Page 2 of 3 · 21–40 of 43')
    const rows = Array.from(post.text.matchAll(/^\*(.+)\* · (\d+) · /gm), ([, ...row]) => row.join(': '))
    expect(rows).toEqual([`${written(second)}: 22`, `${written(first)}: 21`])
  })

  it('can be released and reopened by anyone who still sees it taken or done', async () => {
    const { admin, member } = app
    const { post } = await watched.posted(2)
    const taken = await watched.take(post)
    await admin.press(taken, 'alert.menu', 'Release')
    const released = await admin.sees(post, "I'll take it")
    expect(released).toShow('Released by *admin* at ', '(*member* had them)')
    expect(released).not.toShow('Taken')
    const late = await member.click(taken, 'alert.menu', 'Release')
    expect(late).toShow('Someone has released or reopened it since')
    await watched.pass(1000)
    await admin.press(released, 'alert.take')
    await admin.sees(post, 'Taken by *admin*')
    // The person who took it since then keeps it.
    expect(await member.click(taken, 'alert.menu', 'Release')).toShow('Already taken by admin at ')
    await admin.press(released, 'alert.done')
    const done = await admin.sees(post, 'Done by *admin*')
    expect(await member.click(taken, 'alert.menu', 'Release')).toShow('Already done by admin at ')
    await member.press(done, 'alert.menu', 'Reopen')
    const reopened = await member.sees(post, 'Taken by *admin*')
    expect(getActions(reopened)).toEqual(['alert.done', 'alert.show', 'alert.menu'])
    expect(await admin.click(done, 'alert.menu', 'Reopen')).toShow('Already taken by admin at ')
  })

  it.each([
    // Slack shows the click first, and then the added call.
    ['take', 'chat.update'],
    ['finish', 'chat.update'],
    // The message isn't sent with the added call.
    ['take', 'conversations.info'],
  ] as const)(
    'is followed by a new one if people %s its calls while others are added, during %s',
    async (act, method) => {
      const { post, channel } = await watched.posted(2)
      watched.miss(1)
      await watched.whileSlackHangs(method, () => watched[act](post))
      const [first, second, ...more] = watched.posts(channel)
      expect(first).toShow('2 missed calls since', act === 'take' ? 'Taken by *member*' : 'Done by *member*')
      expect(second).toShow('Missed call at ', "I'll take it")
      expect(more).toEqual([])
    },
  )

  it('shows who took its calls before Slack had confirmed it, and then takes no more', async () => {
    const channel = await watched.add()
    watched.miss(1)
    const take = async () => {
      const told = await app.member.click(watched.post(channel), 'alert.take')
      expect(told).toShow('Saved. Slack will show it with the next update.')
    }
    await watched.whileSlackHangs('chat.postMessage', take, { isDone: true })
    await watched.missed(1)
    expect(watched.posts(channel)[0]).toShow('Taken by *member*')
    expect(watched.counts(channel)).toEqual([1, 1])
  })

  it('is stored for reports, and its buttons work after its alert was deleted, which ends polling', async () => {
    const { post, channel } = await watched.posted(2)
    await watched.alerts.delete(await watched.alerts.list())
    await watched.finish(post)
    const kept = await watched.alerts.store((store, tenant) => store.alertMessages.all(tenant))
    expect(kept.map(({ count }) => count)).toEqual([2])
    const before = watched.looks
    await watched.missed(1)
    expect([watched.counts(channel), watched.looks]).toEqual([[2], before])
  })

  it('is deleted with everything else of a workspace, whose account is no longer polled', async () => {
    await watched.posted(2)
    await app.admin.click(await app.admin.command('/callboard forget'), 'lifecycle.forget')
    const before = watched.looks
    await watched.watch(3)
    expect(watched.looks).toBe(before)
    const left = await watched.alerts.store(async (store, tenant) => [
      await store.alerts.all(tenant),
      await store.alertMessages.all(tenant),
      await store.polls.all(tenant),
    ])
    expect(left).toEqual([[], [], []])
  })
})
