import { describe, expect, it } from 'vitest'
import type { Channel, Message, User, View } from '../../../dev/slack/slack.ts'
import { buttonsOf, useHouse } from '../../support/app.ts'

const house = useHouse()
const textOf = (shown: Message | View | undefined) =>
  JSON.stringify([shown && 'text' in shown ? shown.text : '', shown?.blocks])
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const admin = () => house().slack.people.admin
const bill = (text: string, user: User = admin()) => house().say(text, user, '/billing')
const list = async (user?: User) => (await bill('schedules', user)).waitForMessage()
const press = (message: Message, action: string) =>
  house().click(message, `billing.schedule.${action}`, admin())

interface Wanted {
  channel?: string
  day?: string
  time?: string
}

async function submit(view: View, values: Wanted): Promise<View> {
  const { slack, url } = house()
  await slack.submit(url, { view, values: { ...values }, user: admin() })
  return slack.waitFor(() =>
    slack.openViews().find((one) => /Saved|not in|archived|already/.test(JSON.stringify(one))),
  )
}

/** Connects, and schedules posts to #finance, whose zone is UTC. */
async function schedule(wanted: Wanted = { day: 'weekly 1' }): Promise<Channel> {
  const { connect, slack, url } = house()
  await connect()
  const finance = slack.addChannel({ name: 'finance' })
  const zone = { command: '/calls', text: 'timezone UTC', channel: finance, user: admin() }
  await (await slack.command(url, zone)).waitForMessage()
  const view = await (await bill('schedule')).waitForView()
  const saved = await submit(view, { channel: finance.id, ...wanted })
  expect(textOf(saved)).toContain('Saved')
  return finance
}

/** Sets the clock to so many ms after the one schedule is due. */
async function toDue(after = 1000): Promise<number> {
  const [, next = ''] = /(?:Next: )(\d+ \w+ \d+ \d\d:\d\d)/.exec(textOf(await list())) ?? []
  const due = Date.parse(`${next} GMT+0000`)
  expect(due).toBeGreaterThan(Date.now())
  house().clock.ahead = due + after - Date.now()
  return due
}

const posted = (channel: Channel) =>
  house()
    .slack.messages({ channel })
    .filter(({ onlyFor }) => onlyFor === undefined)
const dms = (user: User = admin()) =>
  house()
    .slack.callsTo('chat.postMessage')
    .filter(({ args }) => args['channel'] === user.id)
    .map(({ args }) => String(args['text']))
const audit = async () => textOf(await (await bill('audit')).waitForMessage())
const until = (probe: () => unknown, timeout = 8000) =>
  expect.poll(probe, { timeout, interval: 50 }).toBeTruthy()
const settle = (ms = 500) => new Promise((resolve) => setTimeout(resolve, ms))

describe('/billing schedule', () => {
  it('posts once when it is due, in the name of who made it, and plans the next one', async () => {
    const finance = await schedule({ day: 'weekly 1', time: '09:30' })
    const due = await toDue()
    await until(() => posted(finance).length > 0)
    await settle()
    const [post, ...more] = posted(finance)
    expect(more).toEqual([])
    expect(textOf(post)).toContain('Business Plus')
    expect(textOf(post)).toContain(`Scheduled by <@${admin().id}>`)
    expect(textOf(post)).not.toContain('late')
    expect(textOf(post)).not.toContain('424242')
    const next = textOf(await list())
    expect(next).toContain(`every Monday at 09:30`)
    expect(await toDue()).toBe(due + 7 * dayMs)
    const log = await audit()
    expect(log).toContain(`schedule, channel <#${finance.id}>, every Monday at 09:30`)
    expect(log).toContain(`post billing, channel <#${finance.id}>, on schedule`)
  })

  it('posts on the billing date alone, even if the service names the next one by then', async () => {
    const { sandbox } = house()
    const finance = await schedule({ day: 'billing-date', time: '09:00' })
    const due = await toDue(0)
    house().clock.ahead = 0
    for (let day = due - 2 * dayMs; day < due; day += dayMs) {
      house().clock.ahead = Math.max(0, day + 1000 - Date.now())
      await settle()
    }
    expect(posted(finance)).toEqual([])
    sandbox.faults.always(
      { kind: 'set', record: { next_billing_date: '2031-01-05' } },
      { operation: 'billing' },
    )
    house().clock.ahead = due + 1000 - Date.now()
    await until(() => posted(finance).length > 0)
    house().clock.ahead += dayMs
    await settle()
    expect(posted(finance)).toHaveLength(1)
  })

  it('after a time down posts one late, says so, and nothing that is older than a day', async () => {
    const { restart, clock } = house()
    const finance = await schedule()
    const due = await toDue(-hourMs)
    await restart(() => {
      clock.ahead = due + 14 * dayMs + 3 * hourMs - Date.now()
    })
    await until(() => posted(finance).length > 0)
    await settle()
    expect(posted(finance)).toHaveLength(1)
    expect(textOf(posted(finance)[0])).toContain('posted late')
    await restart(() => {
      clock.ahead = due + 21 * dayMs + 25 * hourMs - Date.now()
    })
    await until(() => dms().length > 0)
    expect(dms()[0]).toContain('more than a day late')
    expect(posted(finance)).toHaveLength(1)
    expect(await audit()).toContain('billing post missed')
  })

  it.each([
    [
      'the channel is archived',
      (finance: Channel) => Object.assign(finance, { isArchived: true }),
      'is archived',
    ],
    [
      'the app is no longer in it',
      (finance: Channel) => Object.assign(finance, { isMember: false }),
      '/invite @Callboard',
    ],
    [
      'the channel is shared',
      (finance: Channel) => Object.assign(finance, { isExtShared: true }),
      'another company',
    ],
    [
      'the token was revoked',
      () => house().slack.failNext('chat.postMessage', { body: { ok: false, error: 'token_revoked' } }),
      'install it in this workspace again',
    ],
    [
      'key and secret are not accepted',
      () => house().sandbox.faults.next({ kind: 'status', status: 401 }, { operation: 'billing' }),
      '/calls connect',
    ],
  ])('is paused, and its owner told, where %s; Resume goes on', async (_, break_, why) => {
    const finance = await schedule()
    await toDue(-hourMs)
    break_(finance)
    house().clock.ahead += hourMs + 1000
    await until(() => dms().length > 0)
    expect(dms()).toHaveLength(1)
    expect(dms()[0]).toContain(why)
    expect(posted(finance)).toEqual([])
    const paused = await list()
    expect(textOf(paused)).toContain('Paused')
    expect(await audit()).toContain('schedule paused')
    // A pair that was refused is given a rest.
    if (why === '/calls connect') await settle(400)
    Object.assign(finance, { isArchived: false, isMember: true, isExtShared: false })
    expect(textOf(await press(paused, 'resume'))).toContain('Next: ')
    await toDue()
    await until(() => posted(finance).length > 0)
  })

  it('waits as long as Slack asks, and posts once', async () => {
    const { slack } = house()
    const finance = await schedule()
    slack.rateLimitNext('chat.postMessage', 3)
    await toDue()
    await until(() => slack.callsTo('chat.postMessage').length === 1)
    const first = Date.now()
    await until(() => posted(finance).length > 0)
    expect(Date.now() - first).toBeGreaterThan(2900)
    await settle()
    expect(posted(finance)).toHaveLength(1)
    expect(dms()).toEqual([])
  })

  it('tries again while the service is away, and gives up after a day', async () => {
    const { sandbox, clock } = house()
    const finance = await schedule()
    sandbox.faults.always(
      { kind: 'status', status: 400 + 29, headers: { 'retry-after': '3600' } },
      { operation: 'billing' },
    )
    await toDue()
    await until(() =>
      sandbox.requests.entries().some(({ operation, status }) => operation === 'billing' && status === 429),
    )
    await settle()
    clock.ahead += hourMs + 5000
    await settle()
    expect(dms()).toEqual([])
    clock.ahead += dayMs
    await until(() => dms().length > 0)
    expect(dms()[0]).toContain('was left out')
    sandbox.faults.clear()
    await toDue()
    await until(() => posted(finance).length > 0)
  })

  it.each([
    ['cuts the connection', { cut: true }],
    ['says that it does not know', { body: { ok: false, error: 'internal_error' } }],
  ])('does not post again where Slack %s, but tells its owner to look', async (_, fault) => {
    const { slack } = house()
    const finance = await schedule()
    slack.failNext('chat.postMessage', fault)
    await toDue()
    await until(() => dms().length > 0)
    await settle()
    expect(dms()).toHaveLength(1)
    expect(dms()[0]).toContain('may be in')
    expect(
      slack.callsTo('chat.postMessage').filter(({ args }) => args['channel'] === finance.id),
    ).toHaveLength(1)
    expect(await audit()).toContain('not confirmed by Slack')
  })

  it('is edited, paused and deleted from the list, and keeps to what it is then', async () => {
    const { slack, url } = house()
    const finance = await schedule()
    const other = slack.addChannel({ name: 'board' })
    const old = await toDue(-dayMs)
    const edit = await slack.click(url, {
      message: await list(),
      action_id: 'billing.schedule.edit',
      user: admin(),
    })
    const view = await edit.waitForView()
    expect(JSON.stringify(view.blocks)).toContain(`"initial_conversation":"${finance.id}`)
    await submit(view, { channel: other.id, time: '12:00' })
    house().clock.ahead = old + 1000 - Date.now()
    await settle()
    expect(posted(finance)).toEqual([])
    const message = await list()
    expect(textOf(message)).toContain('at 12:00')
    const paused = await press(message, 'pause')
    expect(textOf(paused)).toContain('Paused.')
    const again = await slack.click(url, {
      message: paused,
      action_id: 'billing.schedule.edit',
      user: admin(),
    })
    const still = await slack.submit(url, { view: await again.waitForView(), values: {}, user: admin() })
    expect(textOf(await still.waitForView())).toContain('It is paused still')
    house().clock.ahead += 2 * hourMs
    await settle()
    expect(posted(other)).toEqual([])
    expect(textOf(await press(paused, 'delete'))).toContain('No billing posts are scheduled')
    expect(textOf(await press(paused, 'resume'))).toContain('not there any more')
    for (const what of ['schedule changed', 'schedule paused', 'schedule deleted']) {
      expect(await audit()).toContain(what)
    }
  })

  it('makes one schedule of two submissions of one modal', async () => {
    const { connect, slack, url } = house()
    await connect()
    const view = await (await bill('schedule')).waitForView()
    const values = { channel: slack.general.id }
    await Promise.all([1, 2].map(() => slack.submit(url, { view, values, user: admin() })))
    expect(textOf(await list())).toContain('1 schedule.')
  })

  it("follows a change of the channel's zone", async () => {
    const { slack, url } = house()
    const finance = await schedule()
    const before = await toDue(-dayMs)
    await (
      await slack.command(url, {
        command: '/calls',
        text: 'timezone +05:00',
        channel: finance,
        user: admin(),
      })
    ).waitForMessage()
    expect(textOf(await list())).toContain('(+05:00)')
    house().clock.ahead = before - 5 * hourMs + 1000 - Date.now()
    await until(() => posted(finance).length > 0)
    expect(textOf(posted(finance)[0])).not.toContain('late')
  })

  it('refuses what can not be posted to under the field, and more than fit', async () => {
    const { connect, slack } = house()
    const early = await (await bill('schedule')).waitForMessage()
    expect(textOf(early)).toContain('not connected')
    await connect()
    const away = slack.addChannel({ name: 'away', isMember: false })
    const view = await (await bill('schedule')).waitForView()
    const outcome = await slack.submit(house().url, { view, values: { channel: away.id }, user: admin() })
    expect(JSON.stringify(outcome)).toContain(
      'Callboard is not in that channel. Invite it there with /invite @Callboard',
    )
    for (let n = 1; n <= 50; n++) {
      const form = await (await bill('schedule')).waitForView()
      await slack.submit(house().url, { view: form, values: { channel: slack.general.id }, user: admin() })
    }
    const ids = new Set<string>()
    let message = await list()
    for (let page = 1; ; page++) {
      expect(textOf(message)).toContain(`Page ${page} of 8`)
      for (const { action_id, value } of buttonsOf(message)) if (action_id.endsWith('edit')) ids.add(value)
      if (page === 8) break
      message = await house().click(message, 'billing.schedules.page.next', admin())
    }
    expect(ids.size).toBe(50)
    expect(textOf(await (await bill('schedule')).waitForView())).toContain('50 schedules already')
  })

  it('is for those who may see billing, and pauses once its owner may not any more', async () => {
    const { slack, say, url } = house()
    const finance = await schedule()
    const member = slack.people.member
    expect(textOf(await list(member))).toContain('Billing is not shown to everyone')
    const view = await (await say('settings', admin(), '/billing')).waitForView()
    await slack.submit(url, { view, values: { billing: 'everyone' }, user: admin() })
    const paused = await house().click(await list(member), 'billing.schedule.pause', member)
    const resumed = await house().click(paused, 'billing.schedule.resume', member)
    expect(textOf(resumed)).toContain(`In the name of <@${member.id}>`)
    const again = await (await say('settings', admin(), '/billing')).waitForView()
    await slack.submit(url, { view: again, values: { billing: 'admins' }, user: admin() })
    await toDue()
    await until(() => dms(member).length > 0 && dms().length > 0)
    expect(dms(member)[0]).toContain('may not see billing any more')
    expect(posted(finance)).toEqual([])
  })
})
