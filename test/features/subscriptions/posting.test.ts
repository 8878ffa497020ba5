import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { dayLabel, utcDay } from '../../../src/time/days.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { makeSlackSlow } from '../../support/slow-slack.ts'
import { sentTexts } from '../alerts/watched.ts'
import { eachKind, Schedules } from './schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app)
const { operation, shows, showButton } = schedules.kind
const onMonday = { rhythm: 'weekly 1', time: '09:00' }
const onBillingDate = { rhythm: 'billing-date', time: '09:00' }

/** The service returns these values in each bill. */
function bills(record: Record<string, unknown>): void {
  app.sandbox.faults.clear()
  app.sandbox.faults.always({ kind: 'set', record }, { operation: 'billing' })
}

describe('a scheduled bill', () => {
  /** Passes the next due time with this bill, and returns its day. */
  async function passBilled(addon: object, total: string): Promise<string> {
    const record = { plan: { name: 'Basic', price: '$149.00' }, addon, total_monthly: total }
    app.sandbox.faults.next({ kind: 'set', record }, { operation: 'billing' })
    const day = dayLabel(utcDay(new Date(await schedules.due())))
    await schedules.pass()
    return day
  }
  const agents = (price: string) => ({ agents: { no_of_agents: '2', total_agent_price: price } })
  const crm = { crm: { no_of_crm: '1', total_storage_price: '$8.00' } }
  const numbers = { did: [{ number: '+4930', monthly: '$3.00' }] }

  it('says of which day it is, that its items add up, and what changed since the last post', async () => {
    const finance = await schedules.add()
    const first = await passBilled({ ...agents('$25.00'), ...crm }, '$182.00')
    const second = await passBilled({ ...agents('$37.50'), ...numbers }, '$189.50')
    await passBilled({ ...agents('$37.50'), ...numbers }, '$189.50')
    await passBilled({ ...agents('$30.00'), ...numbers }, '$182.00')
    const [one, two, three, four] = schedules.posts(finance)
    expect(one).toShow('Billing: $182.00 a month', `Bill of ${first}`, '✓ Items add up to the total.')
    expect(one).not.toShow('since')
    expect(two).toShow(
      `Bill of ${second}`,
      `*Changed since ${first}*`,
      '• Total: $182.00 → $189.50 (+$7.50)',
      '• Extra agents: $25.00 → $37.50 (+$12.50)',
      '• New: Numbers, $3.00',
      '• No longer billed: Extra CRMs, $8.00',
    )
    expect(three).toShow(`Nothing has changed since ${second}.`)
    expect(four).toShow('• Total: $189.50 → $182.00 (-$7.50)')
    const withoutPrice = { did: [{ number: '+4930', monthly: '' }] }
    for (let post = 0; post < 2; post += 1) await passBilled(withoutPrice, '$182.00')
    expect(schedules.posts(finance).at(-1)).toShow('Nothing has changed since ')
  })

  it.each(['another channel', 'another account'])("isn't compared with a post of %s", async (other) => {
    await schedules.add()
    await passBilled(crm, '$157.00')
    if (other === 'another account') await app.connect()
    else {
      const { id } = app.slack.addChannel({ name: 'board' })
      const edit = await schedules.edit(await schedules.list())
      expect(await schedules.save(edit, { channel: id })).toShow('Saved')
    }
    await schedules.pass()
    const post = app.slack.messages().findLast(({ text }) => text.startsWith('Billing: $244.99'))
    expect(post).toShow('Bill of ')
    expect(post).not.toShow('since')
  })

  it('shows the card and the credit limit if they were ticked', async () => {
    const finance = await schedules.add({ ...onMonday, include: ['card', 'limit'] })
    await schedules.pass()
    expect(schedules.posts(finance)[0]).toShow('Visa ending 4242', '$500.00')
    const form = await schedules.edit(await schedules.list())
    expect(JSON.stringify(form.blocks)).toContain('"initial_options"')
    expect(await schedules.save(form, { include: [] })).toShow('Saved')
    await schedules.pass()
    expect(schedules.posts(finance)[1]).not.toShow('4242', '$500.00')
  })

  it('comes only on the latest billing date, even if the service already names the next one', async () => {
    const billingDay = utcDay(new Date(Date.now() + 5 * dayMs))
    const due = Date.parse(billingDay) + 9 * hourMs
    bills({ billingcycle: '2031-01-05' })
    const finance = await schedules.add(onBillingDate)
    for (const [days, billingcycle] of [billingDay, ''].entries()) {
      bills({ billingcycle })
      await schedules.at(due + (days - 2) * dayMs + 1000)
    }
    expect(await schedules.list()).not.toShow('on the billing date')
    expect(schedules.posts(finance)).toEqual([])
    bills({ billingcycle: '2031-01-05' })
    await schedules.at(due + 1000)
    expect(await schedules.list()).toShow('Next: 5 Jan 2031, 09:00')
    await schedules.at(due + dayMs + 1000)
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(schedules.posts(finance)[0]).toShow('5 Jan 2031')
    bills({ billingcycle: utcDay(new Date(due + 4 * dayMs)) })
    await schedules.at(due + 4 * dayMs + 1000)
    expect(schedules.posts(finance)).toHaveLength(2)
  })

  it('is listed with its billing date, although it is due every day', async () => {
    bills({ billingcycle: '2031-01-05' })
    await schedules.add(onBillingDate)
    expect(await schedules.list()).toShow('Next: 5 Jan 2031, 09:00')
  })
})

it.each(eachKind)(
  'a %s post comes once when it is due, names who scheduled it, and is planned again',
  async (_, kind) => {
    const schedules = new Schedules(app, kind)
    const { finance, due } = await schedules.addDue({ rhythm: 'weekly 1', time: '09:30' })
    await schedules.at(due + 1000)
    const [post, ...others] = schedules.posts(finance)
    expect(others).toEqual([])
    expect(post).toShow(kind.shows, 'Scheduled by admin with Callboard', `\`${kind.command} schedules\``)
    // A mention would notify the person with every post.
    expect(post).not.toShow(app.admin.user.id, 'Late', '4242', '$500.00')
    expect(await schedules.list()).toShow('every Monday at 09:30')
    expect(await schedules.due()).toBe(due + 7 * dayMs)
    const audit = await schedules.audit()
    expect(audit).toShow(`schedule in <#${finance.id}>: `, 'every Monday at 09:30')
    expect(audit).toShow(`, Callboard ${kind.posted} in <#${finance.id}>: on schedule`)
  },
)

describe('a post that is late', () => {
  async function restartAt(instant: number): Promise<void> {
    await app.restart(() => {
      app.clock.ahead = instant - Date.now()
    })
    await app.jobsDone()
  }

  it('comes once after a downtime, says so and shows the bill of its own day, unless it is older than a day', async () => {
    const { finance, due } = await schedules.addDue({ ...onMonday, time: '23:00' })
    const late = due + 14 * dayMs + 3 * hourMs
    await restartAt(late)
    expect(schedules.posts(finance)).toHaveLength(1)
    const bill = `Bill of ${dayLabel(utcDay(new Date(late)))}`
    expect(schedules.posts(finance)[0]).toShow('Late: scheduled for', bill)
    await restartAt(due + 21 * dayMs + 25 * hourMs)
    expect(schedules.notices()).toEqual([expect.stringContaining('more than a day late')])
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(await schedules.audit()).toShow(', Callboard skipped the ', 'scheduled for')
  })

  it('waits as long as Slack requires, and comes once', async () => {
    const { slack } = app
    const { finance, due } = await schedules.addDue()
    slack.rateLimitNext('chat.postMessage', 300)
    for (const seconds of [1, 200]) {
      await schedules.at(due + seconds * 1000)
      expect(slack.callsTo('chat.postMessage')).toHaveLength(1)
      expect(schedules.posts(finance)).toEqual([])
    }
    await schedules.at(due + 310_000)
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(schedules.notices()).toEqual([])
  })

  it("doesn't come if it is muted while it waits", async () => {
    const { finance, due } = await schedules.addDue()
    app.slack.rateLimitNext('chat.postMessage', 300)
    await schedules.at(due + 1000)
    expect(await schedules.click(await schedules.list(), 'Mute for an hour')).toShow('Muted until ')
    await schedules.at(due + 310_000)
    expect(schedules.posts(finance)).toEqual([])
  })

  it('waits an hour at most if Slack or the service sends an instant instead of seconds', async () => {
    const { finance, due } = await schedules.addDue()
    makeSlackSlow()
    const instant = Math.round((Date.now() + 365 * dayMs) / 1000)
    const headers = { 'retry-after': String(instant) }
    app.sandbox.faults.next({ kind: 'status', status: 429, headers }, { operation })
    app.slack.rateLimitNext('chat.postMessage', instant)
    for (const [hours, count] of [0, 0, 1].entries()) {
      await schedules.at(due + hours * (hourMs + 30_000) + 5000)
      expect(schedules.posts(finance)).toHaveLength(count)
    }
  })

  it.each([
    ['limits the rate and names no wait', { status: 429, body: { ok: false, error: 'ratelimited' } }],
    ['says that the workspace sends too many', { body: { ok: false, error: 'message_limit_exceeded' } }],
  ])('comes a little later if Slack %s, though an account was connected meanwhile', async (_, fault) => {
    const { finance, due } = await schedules.addDue()
    app.slack.failNext('chat.postMessage', fault)
    await schedules.at(due + 1000)
    expect(schedules.posts(finance)).toEqual([])
    await app.connect()
    await schedules.at(due + 10 * minuteMs)
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(schedules.notices()).toEqual([])
  })

  it('is tried again after a minute, and later at least every half hour, if the service fails', async () => {
    const { sandbox } = app
    const { finance, due } = await schedules.addDue()
    sandbox.faults.always({ kind: 'status', status: 500 }, { operation })
    await schedules.at(due + 1000)
    const tries = sandbox.requests.count(operation)
    await schedules.at(due + 50_000)
    expect(sandbox.requests.count(operation)).toBe(tries)
    await schedules.at(due + 10 * hourMs)
    sandbox.faults.clear()
    await schedules.at(due + 10.6 * hourMs)
    expect(schedules.posts(finance)).toHaveLength(1)
  })

  it('is tried while the service is down, and given up after a day', async () => {
    const { sandbox } = app
    const { finance, due } = await schedules.addDue()
    const fault = { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const
    sandbox.faults.always(fault, { operation })
    await schedules.at(due + 1000)
    expect(sandbox.requests.entries(operation).some(({ status }) => status === 429)).toBe(true)
    await schedules.at(due + hourMs + 6000)
    expect(schedules.notices()).toEqual([])
    await schedules.at(due + dayMs + hourMs + 6000)
    expect(schedules.notices()).toEqual([expect.stringContaining('was skipped')])
    sandbox.faults.clear()
    expect(await app.admin.click(await schedules.notice(), showButton)).toShow(shows)
    expect(schedules.posts(finance)).toEqual([])
    await schedules.pass()
    expect(schedules.posts(finance)).toHaveLength(1)
  })
})

it('a post is sent and recorded before the process stops', async () => {
  const { finance, due } = await schedules.addDue()
  const { promise: until, resolve } = Promise.withResolvers<void>()
  app.slack.failNext('chat.postMessage', { until })
  app.clock.ahead = due + 1000 - Date.now()
  await expect.poll(() => sentTexts(app, finance).length).toBe(1)
  const restarting = app.restart()
  for (let n = 0; n < 20; n += 1) await turn()
  resolve()
  await restarting
  await app.jobsDone()
  expect([schedules.posts(finance).length, schedules.notices()]).toEqual([1, []])
})

describe("a post that Slack didn't confirm", () => {
  it.each([
    ['cuts the connection', { cut: true }],
    ['says that it does not know', { body: { ok: false, error: 'internal_error' } }],
  ])("isn't sent again if Slack %s, but its owner is asked to check", async (_, fault) => {
    const { finance, due } = await schedules.addDue()
    app.slack.failNext('chat.postMessage', fault)
    const allow = app.stored.refuse('job:notices')
    app.clock.ahead = due + 1000 - Date.now()
    await app.logged('a job failed', 2)
    allow()
    await app.jobsDone()
    expect(schedules.notices()).toEqual([expect.stringContaining('may be missing')])
    expect(sentTexts(app, finance)).toHaveLength(1)
    expect(await schedules.audit()).toShow('not confirmed by Slack')
  })

  it.each([
    ['', 0],
    [', a week late', 7 * dayMs],
  ])(
    "isn't sent again if the process ends before recording it%s, but its owner is asked",
    async (_, lateMs) => {
      const { finance, due } = await schedules.addDue()
      const planAgain = schedules.refusePlans()
      app.clock.ahead = due + lateMs + 1000 - Date.now()
      await expect.poll(() => schedules.posts(finance), { timeout: 8000 }).toHaveLength(1)
      await app.restart(planAgain)
      await app.jobsDone()
      expect(sentTexts(app, finance)).toHaveLength(1)
      expect(schedules.notices()).toEqual([expect.stringContaining('may be missing')])
      expect(await schedules.due()).toBe(due + lateMs + 7 * dayMs)
    },
  )
})

describe('while its content is read, a post', () => {
  /** Waits until a post reads its content, and returns a function that lets it continue. */
  async function holdReading(due: number): Promise<() => Promise<void>> {
    const { sandbox, clock } = app
    const asked = sandbox.requests.count(operation)
    const { promise: until, resolve } = Promise.withResolvers<void>()
    sandbox.faults.always({ kind: 'hold', until }, { operation })
    clock.ahead = due + 1000 - Date.now()
    await expect.poll(() => sandbox.requests.count(operation)).toBeGreaterThan(asked)
    sandbox.faults.clear()
    return () => {
      resolve()
      return app.jobsDone()
    }
  }

  it("may be sent by another process, and isn't sent again", async () => {
    const { finance, due } = await schedules.addDue()
    const proceed = await holdReading(due)
    app.stored.setValue('%schedules', `json_set(value, '$.postedDay', '${utcDay(new Date(due))}')`)
    await proceed()
    expect(schedules.posts(finance)).toEqual([])
  })

  it.each([
    ['is sent only at its new time', false],
    ["isn't stopped by the failure of the old one", true],
  ])('may be moved, and %s', async (_, isArchived) => {
    const { finance, due } = await schedules.addDue(onMonday)
    const edit = await schedules.edit(await schedules.list())
    const proceed = await holdReading(due)
    expect(await schedules.save(edit, { rhythm: 'weekly 3', time: '12:00' })).toShow('Saved')
    Object.assign(finance, { isArchived })
    await proceed()
    expect(schedules.posts(finance)).toEqual([])
    expect(await schedules.due()).toBe(due + 2 * dayMs + 3 * hourMs)
    expect(await schedules.audit()).not.toShow('Callboard stopped')
    finance.isArchived = false
    await schedules.pass()
    expect(schedules.posts(finance)).toHaveLength(1)
  })

  it("isn't moved by a change of the channel's zone, but the next one is", async () => {
    const { finance, due } = await schedules.addDue(onMonday)
    const proceed = await holdReading(due)
    await schedules.setZone(finance, '-08:00')
    await proceed()
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(await schedules.due()).toBe(due + 7 * dayMs + 8 * hourMs)
  })
})
