import { beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { actionsOf, rowsOf } from '../../support/shown.ts'
import { minute, Watched } from './watched.ts'

const app = useApp()
const watched = new Watched(app)
beforeEach(() => watched.connect())

async function posted(count = 2) {
  const channel = await watched.add()
  watched.miss(count)
  await watched.pass(minute)
  const [post] = watched.posts(channel)
  if (!post) throw new Error('nothing was posted')
  return { channel, post }
}

describe('the message of an alert', () => {
  it('is posted at once, says the line, and adds what follows within ten minutes', async () => {
    const channel = await watched.add()
    watched.miss(1)
    await watched.pass(minute)
    const [first] = watched.posts(channel)
    expect(first).toShow('Missed call on ')
    expect(rowsOf(first!)).toHaveLength(1)
    watched.miss(3)
    await watched.pass(minute)
    const [changed, ...others] = watched.posts(channel)
    expect(others).toEqual([])
    expect(changed).toShow('4 missed calls since ')
    expect(rowsOf(changed!)).toHaveLength(4)
    expect(changed).not.toShow('Late')
    await watched.pass(10 * minute)
    watched.miss(1)
    await watched.pass(minute)
    expect(watched.posts(channel)).toHaveLength(2)
  })

  it('is taken by the first one who clicks; the second is told who has it', async () => {
    const { admin, member } = app
    const { post } = await posted()
    expect(actionsOf(post)).toEqual(['alert.take', 'alert.done', 'alert.show'])
    await member.press(post, 'alert.take')
    const taken = await member.sees(post, 'Taken by *member* at ')
    expect(actionsOf(taken)).toEqual(['alert.done', 'alert.show'])
    const told = await admin.click(post, 'alert.take')
    expect(told).toShow('member took it already, at ')
    expect(told.onlyFor).toBe(admin.user.id)
    expect(await member.click(post, 'alert.take')).toShow('You took it already.')
    expect(app.slack.message(post.ts)).toShow('Taken by *member* at ')
  })

  it('is taken by one of two who click at the same time', async () => {
    const { admin, member } = app
    const { post } = await posted()
    await Promise.all([member.press(post, 'alert.take'), admin.press(post, 'alert.take')])
    await member.sees(post, 'Taken by *')
    const told = () => app.slack.messages().filter(({ text }) => text.includes('took it already'))
    await expect.poll(() => told().length).toBe(1)
  })

  it('is closed with who did it and how long it took, and then nobody takes it', async () => {
    const { admin, member } = app
    const { post, channel } = await posted()
    await member.press(post, 'alert.take')
    await member.sees(post, 'Taken by')
    await watched.pass(5 * minute)
    await admin.press(post, 'alert.done')
    const done = await admin.sees(post, 'Done by *admin* at ')
    expect(done).toShow('after 5 min. Taken by *member* at ')
    expect(actionsOf(done)).toEqual(['alert.show'])
    expect(await member.click(post, 'alert.done')).toShow('admin closed it already, at ')
    // What follows is another one's.
    watched.miss(1)
    await watched.pass(minute)
    expect(watched.posts(channel)).toHaveLength(2)
    expect(watched.posts(channel)[0]).toShow('2 missed calls since', 'Done by')
  })

  it('that is taken stays as it is: what is missed next begins a message of its own', async () => {
    const { post, channel } = await posted()
    await app.member.press(post, 'alert.take')
    await app.member.sees(post, 'Taken by')
    watched.miss(1)
    await watched.pass(minute)
    const [first, second, ...more] = watched.posts(channel)
    expect(first).toShow('2 missed calls since', 'Taken by *member*')
    expect(second).toShow('Missed call on')
    expect(more).toEqual([])
  })

  it('shows the missed calls to who asks, alone, and stays', async () => {
    const { admin } = app
    const { post } = await posted()
    const list = await admin.click(post, 'alert.show')
    expect(list.onlyFor).toBe(admin.user.id)
    expect(list).toShow('Missed incoming calls', '2 calls')
    expect(app.slack.message(post.ts)).toShow('2 missed calls since')
  })

  it('shows those of its line or agent, where it is for one alone', async () => {
    const { member } = app
    const [first = '', second = ''] = watched.account.billing.addOn.numbers.map(({ number }) => number)
    const [agent] = await member.suggest(await member.open('/calls alert'), 'calls.agent', '')
    const ofLine = await watched.add({ numbers: first })
    const ofAgent = await watched.add({ agents: agent! })
    const ofLines = await watched.add({ numbers: `${first}, ${second}` })
    watched.miss(2, { line: first })
    watched.miss(1, { line: second, agentId: agent?.value ?? '' })
    await watched.pass(minute)
    const shown = async (channel: typeof ofLine) => member.click(watched.posts(channel)[0]!, 'alert.show')
    const list = await shown(ofLine)
    expect(list).toShow('Missed incoming calls', '2 calls', first.slice(1))
    expect(list).not.toShow(second)
    expect(await shown(ofAgent)).toShow(`${agent?.text.text}: missed incoming calls`, '1 call')
    expect(await shown(ofLines)).toShow('3 calls')
  })

  it('lets no guest and no stranger press anything', async () => {
    const { guest, stranger } = app.slack.people
    const { post } = await posted()
    for (const person of [guest, stranger])
      for (const action of ['alert.take', 'alert.done', 'alert.show']) {
        const told = await app.slack.as(person).click(post, action)
        expect(told).toShow('Callboard is for full members of this workspace only')
        expect(told.onlyFor).toBe(person.id)
      }
    expect(app.slack.message(post.ts)).toShow('2 missed calls since')
    expect(app.slack.message(post.ts)).not.toShow('Taken')
  })

  it('that somebody deleted is not brought back: what follows is told anew', async () => {
    const { post, channel } = await posted()
    app.slack.failNext('chat.update', { body: { ok: false, error: 'message_not_found' } })
    watched.miss(1)
    await watched.watch(2)
    expect(watched.posts(channel)).toHaveLength(2)
    expect(watched.posts(channel)[1]).toShow('Missed call on')
    expect(app.slack.message(post.ts)).toShow('2 missed calls since')
  })

  it('is lines of text where Slack refuses tables', async () => {
    app.slack.failNext('chat.postMessage', { body: { ok: false, error: 'invalid_blocks' } })
    const { post } = await posted()
    expect(post.blocks.some(({ type }) => type === 'table')).toBe(false)
    expect(post).toShow('2 missed calls since', ' · ')
    expect(watched.notices()).toEqual([])
  })

  it('is kept as long as reports tell of it, and its buttons work after its alert is gone', async () => {
    const { post } = await posted()
    await watched.planned.click(await watched.planned.list(), 'delete', 'Delete alert…')
    await app.member.press(post, 'alert.done')
    await app.member.sees(post, 'Done by *member*')
    const kept = await watched.planned.store((store, tenant) => store.alertMessages.all(tenant))
    expect(kept.map(({ count }) => count)).toEqual([2])
  })

  it('goes with everything else when the workspace is forgotten, and nobody looks any more', async () => {
    const { admin } = app
    await posted()
    await admin.click(await admin.command('/callboard forget'), 'lifecycle.forget')
    const before = watched.looks
    await watched.watch(3)
    expect(watched.looks).toBe(before)
    const left = await watched.planned.store(async (store, tenant) => [
      await store.alerts.all(tenant),
      await store.alertMessages.all(tenant),
      await store.watches.all(tenant),
    ])
    expect(left).toEqual([[], [], []])
  })
})
