import { describe, expect, it, vi } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import type { Channel, Message } from '../../../dev/slack/slack.ts'
import { Rows } from '../../../src/store/engine/rows.ts'
import { toMissedCallId } from '../../../src/store/missed-calls.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/util/units.ts'
import { written } from '../../support/numbers.ts'
import { getColumn } from '../../support/shown.ts'
import { toOption } from './alerts.ts'
import { refused, useWatched } from './watched.ts'

const { app, watched } = useWatched({ time: '06:00' })

/** Returns the message's text about a line. */
const rowOf = (post: Message, line: string) =>
  app.slack
    .message(post.ts)
    ?.text.split('\n')
    .find((row) => row.includes(written(line))) ?? ''

/** Returns what a screen reader says of buttons whose text repeats. */
const getLabels = ({ blocks }: Message) =>
  elementsIn(blocks).flatMap(({ element }) => element['accessibility_label'] ?? [])

describe('the calls of one line', () => {
  it('are taken on their own, and the rest with all others', async () => {
    const { admin, member } = app
    // When this list is read, no call has a state yet.
    await admin.command('/calls missed')
    const [first = '', second = ''] = watched.lines
    const { post } = await watched.postBurst()
    expect(getLabels(post)).toEqual([
      expect.stringMatching(/^Take 3 missed calls since 06:0\d on /),
      expect.stringMatching(/^Take 2 missed calls since 06:0\d on /),
    ])
    await member.press(post, 'alert.take-line.0')
    await member.sees(post, 'member has them')
    expect(rowOf(post, first)).toMatch(/ · 3 · .+ · member has them$/)
    expect(rowOf(post, second)).not.toContain('has')
    const told = await admin.click(post, 'alert.take')
    expect(told).toShow('You took 2. member has had 3 since 06:0')
    expect(told.onlyFor).toBe(admin.user.id)
    expect(rowOf(post, second)).toMatch(/ · 2 · .+ · admin has them$/)
    const again = await admin.click(post, 'alert.take')
    expect(again).toShow('admin has had 2 since 06:0', 'member has had 3 since 06:0')
    const list = await admin.command('/calls missed')
    expect(getColumn(list, 'Result').slice(0, 5).toSorted()).toEqual([
      ...Array<string>(2).fill('admin has it'),
      ...Array<string>(3).fill('member has it'),
    ])
    await admin.press(post, 'alert.done')
    const done = await admin.sees(post, 'done by admin')
    expect(done).toShow('5 missed calls since', 'Reopen', 'Show calls')
    const shown = await member.click(done, 'alert.menu', 'Show calls')
    expect([shown.ts === post.ts, shown.onlyFor]).toEqual([false, member.user.id])
    expect(shown).toShow('5 missed calls')
  })

  it('are listed as waiting and taken, finished and released', async () => {
    const { admin, member } = app
    const { post, channel } = await watched.postBurst()
    await member.press(post, 'alert.take-line.0')
    await member.sees(post, 'member has them')
    await watched.pass(5 * minuteMs)
    const open = await admin.command('/calls open')
    expect(open.onlyFor).toBe(admin.user.id)
    expect(open).toShow('2 missed calls are waiting', 'Taken, not done', 'member · 3 calls on ', channel.id)
    expect(open).toShow('waiting 5 min')
    expect(getLabels(open)).toEqual([
      expect.stringMatching(/^Take 2 missed calls since 06:0\d on /),
      expect.stringMatching(/^Done: 3 missed calls since /),
      expect.stringMatching(/^Release 3 missed calls since /),
    ])
    const home = await member.openHome()
    expect(home).toShow('You have 3 calls to finish. 2 missed calls are waiting, the oldest since 06:0')
    expect(await admin.openHome()).toShow('2 missed calls are waiting, the oldest since 06:0')
    expect(await member.command('/calls mine open')).toShow('You have 3 calls to finish')
    for (const words of ['open mine', 'open me', 'my open'])
      expect(await admin.command(`/calls ${words}`)).toShow('You have no calls to finish')
    expect(await admin.command('/calls open soon mine')).toShow(`understand "soon".`, '/calls open mine')
    const taken = await admin.command('/calls taken')
    expect(taken).toShow('3 calls taken, not done')
    expect(taken).not.toShow('calls.open.take')
    expect(await admin.click(taken, 'calls.open.release')).toShow('No taken calls')
    expect(watched.told(channel)[0]).toShow('admin released 3 calls that member had.')
    await admin.sees(post, 'released by admin')
    expect(watched.told(channel)[0]).toShow('admin released 3 calls that member had.')
    const again = await member.command('/calls waiting')
    expect(again).toShow('5 missed calls are waiting')
    const other = await admin.command('/calls open')
    await member.click(again, 'calls.open.take')
    expect(await admin.click(other, 'calls.open.take')).toShow('Already taken by member at ')
    const mine = await member.command('/calls mine open')
    expect(await member.click(mine, 'calls.open.done')).toShow('You have no calls to finish')
  })

  it('are finished in the list by person, whose own come first', async () => {
    const { post } = await watched.posted(2)
    await watched.take(post)
    await watched.alerts.store(async (store, tenant) => {
      const call = (await store.missedCalls.all(tenant)).at(-1)
      const taken = { person: app.admin.user.id, name: 'admin', at: watched.now - hourMs }
      await store.missedCalls.change(tenant, toMissedCallId(call!), (stored) => ({ ...stored, taken }))
    })
    const others = await app.slack.as(app.slack.people.owner).command('/calls taken')
    expect(others.text).toMatch(/admin · 1 call on.+member · 1 call on/s)
    const list = await app.member.command('/calls taken')
    expect(list.text).toMatch(/2 calls taken, not done.+member · 1 call on.+admin · 1 call on/s)
    expect(await app.member.click(list, 'calls.open.done')).toShow('1 call taken, not done', 'admin · 1 call')
  })

  it("can't be taken from the list by someone who left the channel or can't see calls any more", async () => {
    const { post, channel } = await watched.postBurst()
    const list = await app.member.command('/calls open')
    channel.members = [app.admin.user.id]
    // The person still sees another message, but may not change this one.
    await watched.posted()
    expect(await app.member.click(list, 'calls.open.take')).toShow('These calls are no longer waiting.')
    await app.admin.submit(await app.admin.open('/billing settings'), { calls: 'admins' })
    expect(await app.member.click(list, 'calls.open.take')).toShow('Ask ')
    expect(app.slack.message(post.ts)).not.toShow('has them')
  })
})

describe('the channel is told in one line, with a button that undoes it,', () => {
  it("that someone released another person's calls", async () => {
    const { admin, member } = app
    const { post, channel } = await watched.postBurst()
    await admin.press(await watched.take(post), 'alert.menu', 'Release')
    await admin.sees(post, 'Released by *admin*')
    const told = await app.slack.waitFor(() => watched.told(channel)[0])
    expect(told).toShow('admin released 5 calls that member had.', 'Undo')
    await member.press(told, 'alert.undo')
    await member.sees(post, 'Taken by *member*')
    expect(await member.click(told, 'alert.undo')).toShow('Already taken by member at ')
    await member.press(app.slack.message(post.ts)!, 'alert.menu', 'Release')
    await member.sees(post, 'Released by *member*')
    await app.jobsDone()
    expect(watched.told(channel)).toHaveLength(1)
  })

  it('that someone assigned calls to another person', async () => {
    const { admin, member } = app
    const { post, channel } = await watched.postBurst()
    await member.press(post, 'alert.take-line.0')
    const taken = await member.sees(post, 'member has them')
    const form = await member.open(taken, 'alert.menu', 'Assign to…')
    const { errors } = await member.submit(form, { person: [] }, { force: true })
    expect(errors).toEqual({ person: 'Choose one person.' })
    expect(await member.submit(form, { person: [admin.user.id] })).toShow('Assigned.')
    await admin.sees(post, 'Taken by *admin* at ')
    expect(app.slack.message(post.ts)).toShow('Assigned by *member*.')
    const [told] = watched.told(channel)
    expect(told).toShow('member assigned 5 calls to admin.')
    await admin.press(told!, 'alert.undo')
    const undone = await admin.sees(post, 'member has them')
    expect(undone).toShow('Take all')
    // Who takes calls after a form was opened keeps them.
    const stale = await member.open(undone, 'alert.menu', 'Assign to…')
    await watched.pass(1000)
    await admin.press(undone, 'alert.take')
    await admin.sees(post, 'admin has them')
    expect(await member.submit(stale, { person: [member.user.id] })).toShow('admin has had 2 since')
    expect(await member.submit(stale, { person: [admin.user.id] })).toShow('Assigned.')
    expect(watched.told(channel).at(-1)).toShow('member assigned 3 calls to admin.')
  })

  it("not to someone who can't see calls", async () => {
    const { admin, member, slack } = app
    const { post } = await watched.postBurst()
    await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
    const guest = slack.addPerson({ name: 'guest', is_restricted: true })
    const form = await admin.open(post, 'alert.menu', 'Assign to…')
    for (const { id } of [guest, member.user]) {
      const { errors } = await admin.submit(form, { person: [id] })
      expect(errors).toEqual({ person: expect.stringContaining("can't see calls") })
    }
  })

  it('that someone muted the alert or turned it on, in the message or the list, where it can be edited', async () => {
    const { admin, member } = app
    const { post, channel } = await watched.postBurst()
    expect(await admin.click(post, 'alert.menu', 'Mute for an hour')).toShow('Muted until ')
    const [muted] = watched.told(channel)
    expect(muted).toShow('admin muted this alert until ', 'each missed call', 'Turn on')
    expect(await member.click(muted!, 'alert.turn-on')).toShow('Turned on: ')
    const [, turnedOn] = watched.told(channel)
    expect(turnedOn).toShow('member turned this alert on: each missed call.', 'Mute for an hour')
    expect(await admin.click(turnedOn!, 'alert.mute')).toShow('Muted until 07:0')
    // Slack can't say whether the channel may be told.
    app.slack.failNext('conversations.info', { status: 500 })
    expect(await admin.click(post, 'alert.menu', 'Mute until tomorrow')).toShow(', 00:00: ')
    await watched.alerts.click(await watched.alerts.list(), 'Turn on')
    await watched.alerts.click(await watched.alerts.list(), 'Mute until turned on')
    expect(watched.told(channel).at(-1)).toShow('member muted this alert: each missed call.')
    const form = await member.open(post, 'alert.menu', 'Edit alert…')
    expect(await member.submit(form, { calls: '4' })).toShow(`<#${channel.id}>: 4 or more missed calls`)
  })

  it('never in a channel that is shared since', async () => {
    const { post, channel } = await watched.postBurst()
    Object.assign(channel, { sharedWith: ['T0OTHER'] })
    await watched.pass(2 * minuteMs)
    await app.admin.click(post, 'alert.menu', 'Mute for an hour')
    expect(watched.told(channel)).toEqual([])
  })
})

it('a message that is no longer stored is too old to be changed', async () => {
  const { post } = await watched.posted()
  await watched.pass(101 * dayMs)
  expect(await app.member.click(post, 'alert.take')).toShow("It's too old: alerts are kept for 100 days.")
  expect(app.stored.all('missed-calls')).toMatchObject([{ expires: expect.any(Number) }])
  // The alert is still stored.
  expect(await app.member.click(post, 'alert.menu', 'Mute for an hour')).toShow('Muted until')
})

it('the reply names three people who have calls', async () => {
  const { post } = await watched.posted(4)
  await watched.alerts.store(async ({ missedCalls }, tenant) => {
    for (const call of await missedCalls.all(tenant)) {
      const taken = { person: call.id, name: call.id, at: 1 }
      await missedCalls.change(tenant, toMissedCallId(call), (latest) => ({ ...latest, taken }))
    }
  })
  const { text } = await app.member.click(post, 'alert.take')
  expect(text.match(/ has had 1 since /g)).toHaveLength(3)
})

describe('a message is updated later', () => {
  it.each([
    ['Slack limits its update', () => app.slack.rateLimitNext('chat.update', 60)],
    ['Slack fails', () => app.slack.failNext('chat.update', { status: 500 })],
    ['Slack fails to update it', () => app.slack.failNext('chat.update', refused('update_failed'))],
    ['the connection is cut', () => app.slack.failNext('chat.update', { cut: true })],
  ])('if %s', async (_, fail) => {
    const { member } = app
    const others: Channel[] = []
    for (const line of watched.lines.slice(0, 2)) others.push(await watched.add({ lines: [toOption(line)] }))
    const { post } = await watched.postBurst()
    await member.press(post, 'alert.take-line.0')
    await member.sees(watched.post(others[0]!), 'Taken by *member*')
    // The first retry for one of both messages fails, too.
    for (const _failure of [1, 2, 3]) fail()
    expect(await member.click(post, 'alert.take')).toShow('Saved. Slack will show it with the next update.')
    expect(app.slack.message(post.ts)).not.toShow('Taken by')
    await watched.watch(3)
    for (const other of others) await member.sees(watched.post(other), 'Taken by *member*')
    expect(app.slack.message(post.ts)).not.toShow('Take all')
  })

  it('if an update overtakes it that shows more', async () => {
    const { admin, member, slack } = app
    const { post } = await watched.postBurst()
    const { promise: until, resolve } = Promise.withResolvers<void>()
    slack.failNext('chat.update', { until })
    await member.press(post, 'alert.take-line.0')
    await expect.poll(() => slack.callsTo('chat.update')).toHaveLength(1)
    await admin.press(post, 'alert.take-line.1')
    await admin.sees(post, 'admin has them')
    resolve()
    await expect.poll(() => slack.callsTo('chat.update')).toHaveLength(3)
    expect(await member.sees(post, 'member has them')).toShow('admin has them')
  })

  it('if the process ends before any of its writes', async () => {
    const { post } = await watched.posted(2)
    const countLogged = (text: string) => app.logs.filter((line) => line.includes(text)).length
    const counts = new Set<number>()
    for (let writes = 0; writes < 8; writes += 1) {
      const allow = app.stored.refuseAfter(writes)
      await app.member.press(post, 'alert.take')
      await expect.poll(() => countLogged('"interaction":"alert.take","outcome"')).toBe(writes + 1)
      allow()
      await watched.pass(minuteMs)
      const calls = await watched.alerts.store((store, tenant) => store.missedCalls.all(tenant))
      const taken = calls.filter((call) => call.taken).length
      counts.add(taken)
      const shown = app.slack.message(post.ts)
      if (taken === 0) expect(shown).not.toShow('member has', 'Taken by')
      if (taken === 1) expect(shown).toShow('member has 1 · 1 waiting')
      if (taken === 2) expect(shown?.text).toMatch(/member has them|Taken by \*member\*/)
      if (taken === 0) continue
      await app.member.press(shown!, 'alert.menu', 'Release')
      await app.admin.sees(post, 'eleased by ')
    }
    expect(counts).toEqual(new Set([0, 1, 2]))
  })

  it('if another process updated it just before its calls changed, and took one', async () => {
    const { post } = await watched.posted(2)
    const taken = { person: app.admin.user.id, name: 'admin', at: watched.now }
    const { change } = Rows.prototype
    const spy = vi.spyOn(Rows.prototype, 'change')
    spy.mockImplementation(async function (this: Rows<unknown>, ...args) {
      const isCall = args[1].includes('+')
      if (!isCall) return change.apply(this, args)
      spy.mockRestore()
      await watched.alerts.store(async ({ alertMessages, missedCalls }, tenant) => {
        await missedCalls.change(tenant, args[1], (call) => ({ ...call, taken }))
        for (const { id } of await alertMessages.all(tenant))
          await alertMessages.change(tenant, id, (one) => ({ ...one, shownRevision: one.revision }))
      })
      return change.apply(this, args)
    })
    expect(await app.member.click(post, 'alert.take')).toShow('You took 1. admin has had 1 since ')
    await app.member.sees(post, 'admin has 1 · member has 1')
  })

  it('unless Slack never changes it again, which the person is told', async () => {
    const { post } = await watched.posted(2)
    app.slack.failNext('chat.update', { body: { ok: false, error: 'edit_window_closed' } })
    const told = await app.member.click(post, 'alert.take')
    expect(told).toShow("Slack doesn't let Callboard change this message any more.")
    expect(await app.member.command('/calls mine open')).toShow('You have 2 calls to finish')
    await watched.pass(hourMs)
    expect(app.slack.callsTo('chat.update')).toHaveLength(1)
  })

  it.each([
    ['has been for a while', () => watched.pass(2 * minuteMs)],
    ['is known to be', (post: Message) => app.member.click(post, 'alert.menu', 'Mute for an hour')],
  ])('but not in a shared channel that %s', async (_, notice) => {
    const { post, channel } = await watched.posted(2)
    Object.assign(channel, { sharedWith: ['T0OTHER'] })
    await notice(post)
    await app.member.click(post, 'alert.take')
    await watched.pass(minuteMs)
    expect(app.slack.callsTo('chat.update')).toEqual([])
  })
})

/** Returns all texts in which Slack finds links and mentions: mrkdwn, and the text of a message. */
function listParsedTexts(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const isPlain = 'type' in value && value.type !== 'mrkdwn'
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === 'text' && typeof part === 'string') return isPlain ? [] : [part]
    return listParsedTexts(part)
  })
}

it('names of lines and people never become links or mentions', async () => {
  const { admin, member, slack } = app
  member.user.profile.display_name = '<!here> Ada'
  admin.user.profile.display_name = '<!here> Ben @channel'
  const names = { 'line-0': '<!here> Sales', 'line-1': '<!here> Help' }
  await admin.submit(await admin.open('/calls lines'), names)
  const named = await watched.alerts.store((store, tenant) => store.lines.get(tenant))
  const { post } = await watched.postBurst(named?.lines.map(({ number }) => number))
  await member.press(post, 'alert.take-line.0')
  await member.sees(post, 'Ada has them')
  for (const command of ['/calls open', '/calls missed']) await member.command(command)
  await member.openHome()
  await admin.click(post, 'alert.take')
  await member.press(await member.sees(post, 'Ben @channel has them'), 'alert.menu', 'Release')
  const released = await member.sees(post, 'eleased by')
  const form = await admin.open(released, 'alert.menu', 'Assign to…')
  await admin.submit(form, { person: [member.user.id] })
  await admin.click(post, 'alert.menu', 'Mute for an hour')
  await admin.click(await watched.alerts.list(admin), 'calls.alert.menu', 'Turn on')
  await member.press(post, 'alert.done')
  await member.sees(post, 'Done by')
  const shown = [...slack.messages(), ...slack.callsTo('chat.update').map(({ args }) => args)]
  const texts = [...shown, slack.home(member.user)].flatMap(listParsedTexts)
  for (const what of ['Sales', 'Help', 'Ada', 'Ben'])
    expect(texts.some((text) => text.includes(`&lt;!here&gt; ${what}`))).toBe(true)
  expect(shown.some(({ text }) => String(text).includes('Ben @\u200bchannel'))).toBe(true)
  for (const { text } of shown) expect(text).not.toContain('@channel')
  expect(texts.filter((text) => text.includes('<!here>'))).toEqual([])
})
