import { describe, expect, it } from 'vitest'
import { getAlertId } from '../../../src/store/alerts.ts'
import { hourMs, minuteMs } from '../../../src/util/units.ts'
import { makeSlackSlow } from '../../support/slow-slack.ts'
import { toOption } from './alerts.ts'
import { refused, sentTexts, useWatched } from './watched.ts'

const { app, watched } = useWatched()

describe('an alert that can not post tells its owner once, and resumes by itself:', () => {
  it.each([
    ['the channel is archived', 'isArchived', 'is archived'],
    ['the channel is shared with another company', 'isExtShared', 'another company'],
    ['the token is revoked', undefined, 'install it in this workspace again'],
  ] as const)('%s', async (_, state, why) => {
    const channel = await watched.add()
    if (state) channel[state] = true
    else app.slack.failNext('chat.postMessage', refused('token_revoked'))
    watched.miss(1)
    await watched.watch(3)
    expect(watched.posts(channel)).toEqual([])
    expect(watched.notices()).toEqual([expect.stringContaining(why)])
    expect(watched.notices()[0]).toContain('The alerts resume by themselves')
    expect(await watched.alerts.list()).toShow(why)
    await watched.missed(1)
    expect(watched.notices()).toHaveLength(1)
    if (state) channel[state] = false
    await watched.watch(25)
    expect(watched.post(channel)).toShow('2 missed calls since')
    expect(watched.notices()).toHaveLength(1)
    expect(await watched.alerts.list()).not.toShow(why)
  })

  it.each<readonly [string, () => unknown, string]>([
    ['is deactivated', () => Object.assign(app.slack.people.member, { deleted: true }), "isn't a member"],
    [
      'may not see calls any more',
      async () => app.admin.submit(await app.admin.open('/billing settings'), { calls: 'admins' }),
      "can't see calls any more",
    ],
  ])('the owner %s: the person who connected the account is told', async (_, change, why) => {
    const channel = await watched.add()
    await change()
    watched.miss(1)
    await watched.watch(3)
    expect(watched.posts(channel)).toEqual([])
    expect(watched.notices(app.admin)).toEqual([expect.stringContaining(why)])
  })
})

describe('an account that can not be polled: owners are told once, and alerts resume by themselves:', () => {
  it('the key is refused', async () => {
    const channel = await watched.add()
    app.sandbox.faults.always({ kind: 'status', status: 401 }, { operation: 'incoming' })
    await watched.watch(20)
    expect(watched.notices()).toEqual([expect.stringContaining('An administrator can replace them')])
    expect(await watched.alerts.list()).toShow('no longer accepts the API key and secret')
    watched.miss(1)
    app.sandbox.faults.clear()
    // At the next poll, without waiting for the retry.
    await watched.connect()
    await watched.pass(minuteMs)
    expect(watched.posts(channel)[0]).toShow('Missed call at')
    expect(await watched.alerts.list()).not.toShow('no longer accepts')
  })

  it('the service is down for an hour', async () => {
    watched.setTime('10:00')
    const channel = await watched.add()
    app.sandbox.faults.always({ kind: 'status', status: 503 }, { operation: 'incoming' })
    await watched.watch(10)
    expect(watched.notices()).toEqual([])
    watched.miss(2)
    const before = watched.looks
    await watched.watch(50)
    // Each poll retries, and polls back off.
    expect(watched.looks - before).toBeLessThan(30)
    expect(watched.notices()).toEqual([expect.stringContaining("The phone service isn't responding.")])
    expect(watched.notices()[0]).toContain("Missed calls can't be checked")
    expect(await watched.alerts.list()).toShow("isn't responding")
    expect(await app.admin.openHome()).toShow('⚠ Not posting since 10:0')
    app.sandbox.faults.clear()
    // The circuit breaker is open for a moment.
    await expect.poll(() => app.member.command('/calls')).toShow('incoming calls')
    await watched.watch(12)
    expect(watched.post(channel)).toShow('2 missed calls since')
    expect(watched.notices()).toHaveLength(1)
    expect(await watched.alerts.list()).not.toShow("isn't responding")
  })

  it('the key is refused, which is told even after an outage, but no outage is told after that', async () => {
    const channel = await watched.add()
    for (const place of [{ channel: channel.id }, { where: 'direct' }]) await watched.alerts.add(place)
    // The first notice still waits for Slack when the second one is due.
    for (let n = 0; n < 20; n += 1) app.slack.rateLimitNext('chat.postMessage', 60)
    for (const status of [503, 401, 503]) {
      const why = status === 401 ? 'no longer accepts' : "isn't responding"
      app.sandbox.faults.clear()
      app.sandbox.faults.always({ kind: 'status', status }, { operation: 'incoming' })
      await expect.poll(() => app.member.command('/calls')).toShow(why)
      await watched.watch(18)
    }
    const [away, refusedKey, ...others] = new Set(watched.notices())
    expect(others).toEqual([])
    expect(away).toContain(`alerts in <#${channel.id}> and direct messages are on hold. The phone`)
    expect(refusedKey).toContain('An administrator can replace them')
  })

  it('one of two alerts is muted, so its owner and channel are not told', async () => {
    for (const by of [app.member, app.admin]) await watched.add({}, by)
    await watched.alerts.click(await watched.alerts.list(), 'Mute until turned on')
    const [muted, other] = await watched.alerts.kept()
    const toldBefore = sentTexts(app, { id: muted!.channel })
    app.sandbox.faults.always({ kind: 'status', status: 401 }, { operation: 'incoming' })
    app.slack.failNext('chat.postMessage', refused('messages_tab_disabled'))
    await watched.watch(3)
    const notice = [expect.stringContaining(`alerts in <#${other!.channel}> are on hold. `)]
    const ids = [muted!.channel, muted!.owner, other!.owner, other!.channel]
    expect(ids.map((id) => sentTexts(app, { id }))).toEqual([toldBefore, [], notice, notice])
  })

  it('the account is disconnected', async () => {
    const channel = await watched.add()
    await watched.add({}, app.admin)
    await app.disconnect()
    // Slack refuses the first direct message.
    app.slack.failNext('chat.postMessage', refused('messages_tab_disabled'))
    await watched.watch(3)
    const notice = [expect.stringContaining("isn't connected")]
    expect([watched.notices(), watched.notices(app.admin)]).toEqual([notice, notice])
    expect(watched.told(channel).map(({ text }) => text)).toEqual(notice)
    watched.miss(1)
    await watched.connect()
    await watched.pass(minuteMs)
    expect(watched.posts(channel)).toHaveLength(1)
  })
})

it('posts nothing more in a channel that is shared after an alert has posted there', async () => {
  const [first = '', second = ''] = watched.lines
  const channel = await watched.add({ lines: toOption(first) })
  await watched.alerts.add({ channel: channel.id, lines: toOption(second) })
  for (const line of [first, second]) watched.miss(1, { line })
  await watched.whileSlackHangs('chat.postMessage', async () => Object.assign(channel, { isExtShared: true }))
  await watched.missed(1, { line: first })
  expect(watched.counts(channel)).toEqual([1])
  expect(app.slack.callsTo('chat.update')).toEqual([])
  expect(watched.notices()).toEqual([1, 2].map(() => expect.stringContaining('another company')))
})

it('posts even if Slack takes longer than a person would wait', async () => {
  const channel = await watched.add()
  makeSlackSlow()
  // The cached owner has expired.
  await watched.pass(2 * minuteMs)
  await watched.missed(1)
  expect(watched.posts(channel)).toHaveLength(1)
})

describe('if Slack does not confirm a message', () => {
  it.each([
    ['the connection is cut', () => app.slack.failNext('chat.postMessage', { cut: true }), 1],
    ['the answer is lost', () => app.slack.failNext('chat.postMessage', { cut: true, isDone: true }), 2],
    ['Slack fails', () => app.slack.failNext('chat.postMessage', { status: 500 }), 1],
    ['Slack limits it', () => app.slack.rateLimitNext('chat.postMessage', 60), 1],
    ['it wants fewer', () => app.slack.failNext('chat.postMessage', refused('message_limit_exceeded')), 1],
  ])('%s: it is sent again, and nobody is told', async (_, fail, times) => {
    const channel = await watched.add()
    fail()
    await watched.missed(2)
    watched.miss(1)
    await watched.watch(3)
    expect(watched.posts(channel)).toHaveLength(times)
    expect(watched.posts(channel).at(-1)).toShow('3 missed calls since')
    expect(watched.messages(channel).size).toBe(1)
    expect(watched.notices()).toEqual([])
  })

  it('for long: it backs off, the owner is told once, and it resumes by itself', async () => {
    const channel = await watched.add()
    const failing = (times: number) => {
      for (let n = 0; n < times; n += 1) app.slack.failNext('chat.postMessage', { status: 500, isDone: true })
    }
    failing(5)
    watched.miss(2)
    await watched.watch(15)
    expect(watched.posts(channel)).toHaveLength(4)
    expect(watched.notices()).toEqual([])
    const logged = app.logs.filter((line) => line.includes('alert could not be posted'))
    expect(logged).toHaveLength(4)
    expect(logged[0]).toContain(app.slack.workspace.teamId)
    await watched.watch(2)
    expect(watched.posts(channel)).toHaveLength(5)
    expect(watched.notices()).toEqual([expect.stringContaining("Slack doesn't confirm")])
    expect(await watched.alerts.list()).toShow('⚠ Not posting since', "Slack doesn't confirm")
    await watched.watch(20)
    expect(watched.posts(channel)).toHaveLength(6)
    expect(watched.posts(channel).at(-1)).toShow('2 missed calls since')
    expect(watched.notices()).toHaveLength(1)
    expect(await watched.alerts.list()).not.toShow('Not posting since')
    // A single later failure isn't reported.
    await watched.pass(hourMs)
    failing(1)
    watched.miss(1)
    await watched.watch(3)
    expect(watched.notices()).toHaveLength(1)
    expect(watched.posts(channel)).toHaveLength(8)
  })

  it('for long, because Slack does not respond: the notice says so without asking the owner to try again', async () => {
    await watched.add()
    for (let n = 0; n < 20; n += 1) app.slack.failNext('conversations.info', { status: 500 })
    watched.miss(1)
    await watched.watch(18)
    const why = "have stopped. Slack isn't responding. The alerts resume by themselves once that's fixed."
    expect(watched.notices()).toEqual([expect.stringContaining(why)])
  })

  it.each([
    ['saves', []],
    ['mutes and turns on', ['Mute for an hour', 'Turn on']],
  ])('for long, and someone %s the alert: the next poll tries again', async (_, entries) => {
    const channel = await watched.add()
    for (let n = 0; n < 5; n += 1) app.slack.failNext('chat.postMessage', { status: 500 })
    watched.miss(2)
    await watched.watch(18)
    expect(watched.posts(channel)).toEqual([])
    if (entries.length === 0) await watched.alerts.change({})
    for (const entry of entries) await watched.alerts.click(await watched.alerts.list(), entry)
    await watched.pass(minuteMs)
    expect(watched.posts(channel)).toHaveLength(1)
  })

  it.each([
    ['a new message', 'Nothing posted yet', 1],
    ['added calls', 'Last posted: ', 0],
  ])('and the process ends after it has stored where %s are, no call is repeated', async (_, posted, n) => {
    const channel = await watched.add({ remind: '15' })
    await watched.missed(2)
    await watched.alerts.store(async (store, tenant) => {
      const [message] = await store.alertMessages.all(tenant)
      if (!message) throw new Error('nothing was posted')
      const calls = []
      for (const id of message.calls) {
        const { id: shortId, at, line } = (await store.missedCalls.get(tenant, id))!
        calls.push({ id: shortId, at, line })
        await store.missedCalls.change(tenant, id, (call) => ({ ...call, shownIn: [] }))
      }
      await store.alertMessages.change(tenant, message.id, (latest) => ({ ...latest, count: 5 }))
      const postedAt = n === 0 ? message.openedAt : undefined
      const state = { waiting: { calls, older: 4 }, messageId: message.id, sendingUntil: 0, postedAt }
      await store.alerts.change(tenant, getAlertId(message.id), (alert) => ({ ...alert, state }))
    })
    expect(await watched.alerts.list()).toShow(posted)
    await watched.alerts.change({ channel: app.slack.general.id })
    await watched.watch(2)
    expect(watched.posts(channel)).toHaveLength(1)
    expect(await watched.alerts.list()).toShow('Last posted: ')
    expect(await app.member.command('/calls open')).toShow('2 missed calls are waiting', `<#${channel.id}>`)
    await watched.pass(15 * minuteMs)
    const replies = app.slack.callsTo('chat.postMessage').filter(({ args }) => 'thread_ts' in args)
    expect(replies).toHaveLength(n)
    await watched.missed(1)
    // The message had three of the four older calls.
    expect(watched.counts(app.slack.general)).toEqual([2])
  })

  it('for a while, calls that another process finds meanwhile are kept', async () => {
    const channel = await watched.add()
    watched.miss(1)
    const addLate = () =>
      watched.alerts.store(async (store, tenant) => {
        const [alert] = await store.alerts.all(tenant)
        const late = { id: 'late', at: watched.now, line: '+493055501000' }
        await store.alerts.change(tenant, alert!.id, ({ state, ...more }) => {
          const calls = [late, ...state.waiting.calls]
          return { ...more, state: { ...state, waiting: { ...state.waiting, calls } } }
        })
      })
    await watched.whileSlackHangs('chat.postMessage', addLate)
    await watched.watch(2)
    expect(watched.posts(channel)[0]).toShow('2 missed calls since')
  })

  it.each([
    ['limits it', () => app.slack.rateLimitNext('chat.postMessage', 60)],
    ['refuses it', () => app.slack.failNext('chat.postMessage', refused('restricted_action'))],
    ['does not respond', () => app.slack.failNext('conversations.info', { status: 500 })],
  ])('and then %s, all copies are one message', async (_, fail) => {
    const channel = await watched.add()
    watched.miss(1)
    app.slack.failNext('chat.postMessage', { status: 500, isDone: true })
    await watched.pass(minuteMs)
    fail()
    await watched.watch(20)
    expect([watched.posts(channel).length, watched.messages(channel).size]).toEqual([2, 1])
  })

  it.each([
    ['', { cut: true }],
    [', though it had arrived', { cut: true, isDone: true }],
  ])('a lost update is repeated, and counts each call once%s', async (_, fault) => {
    const channel = await watched.add()
    await watched.missed(1)
    app.slack.failNext('chat.update', fault)
    watched.miss(250)
    await watched.watch(3)
    expect(watched.counts(channel)).toEqual([251])
    await watched.missed(10)
    expect(watched.counts(channel)).toEqual([261])
  })
})
