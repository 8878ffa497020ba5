import { describe, expect, it } from 'vitest'
import { dayLabel, utcDay } from '../../../src/time/days.ts'
import { dayMs, hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { eachKind, Schedules } from './schedules.ts'

const app = useApp({ connected: true })

describe('a scheduled bill', () => {
  const schedules = new Schedules(app)
  /** Passes the next due time, at which the account is billed these, and returns the day. */
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
    const [one, two, three] = schedules.posts(finance)
    expect(one).toShow('Billing: $182.00 a month', `Bill of ${first}`, '✓ Items add up to the total.')
    expect(one).not.toShow('since')
    expect(two).toShow(
      `Bill of ${second}`,
      `*Changed since ${first}*`,
      '• Total: $182.00 → $189.50 (+$7.50)',
      '• Extra agents: $25.00 → $37.50 (+$12.50)',
      '• New: Numbers, $3.00',
      '• No longer billed: Extra CRMs, $8.00',
      '✓ Items add up to the total.',
    )
    expect(three).toShow(`Nothing has changed since ${second}.`)
  })

  it.each([
    [
      'in another channel',
      async () => {
        const { id } = app.slack.addChannel({ name: 'board' })
        expect(await schedules.save(await schedules.edit(await schedules.list()), { channel: id })).toShow(
          'Saved',
        )
      },
    ],
    ['of an account that was connected since', () => app.connect()],
  ])("isn't compared with a post %s", async (_, change) => {
    await schedules.add()
    await passBilled(crm, '$157.00')
    await change()
    await schedules.pass()
    const post = app.slack.messages().findLast(({ text }) => text.startsWith('Billing: $244.99'))
    expect(post).toShow('Bill of ')
    expect(post).not.toShow('since')
  })
})

it.each(eachKind)(
  'a schedule of the kind %s posts once when it is due, naming who scheduled it, and plans the next one',
  async (_, kind) => {
    const schedules = new Schedules(app, kind)
    const finance = await schedules.add({ rhythm: 'weekly 1', time: '09:30' })
    const due = await schedules.due()
    await schedules.at(due + 1000)
    expect(schedules.posts(finance)).toHaveLength(1)
    const post = schedules.posts(finance)[0]!
    expect(post).toShow(kind.shows)
    expect(post).toShow('Scheduled by admin with Callboard')
    // A mention would notify the person with every post.
    expect(post).not.toShow(app.admin.user.id)
    expect(post).not.toShow('Late')
    expect(post).not.toShow('4242', '$500.00')
    expect(await schedules.list()).toShow(`every Monday at 09:30`)
    expect(await schedules.due()).toBe(due + 7 * dayMs)
    const audit = await schedules.audit()
    expect(audit).toShow(`schedule in <#${finance.id}>: `, 'every Monday at 09:30')
    expect(audit).toShow(`, Callboard ${kind.posted} in <#${finance.id}>: on schedule`)
  },
)

describe('a schedule', () => {
  const schedules = new Schedules(app)
  const { operation, shows, showButton } = schedules.kind

  it('after a downtime, posts one late and marks it, but nothing older than a day', async () => {
    const { clock } = app
    const finance = await schedules.add()
    const due = await schedules.due()
    const restartAt = async (instant: number) => {
      await app.restart(() => {
        clock.ahead = instant - Date.now()
      })
      await app.jobsDone()
    }
    await restartAt(due + 14 * dayMs + 3 * hourMs)
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(schedules.posts(finance)[0]).toShow('Late: scheduled for')
    await restartAt(due + 21 * dayMs + 25 * hourMs)
    expect(schedules.notices()).toEqual([expect.stringContaining('more than a day late')])
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(await schedules.audit()).toShow(', Callboard skipped the ', 'scheduled for')
  })

  it('waits as long as Slack requires, and posts once', async () => {
    const { slack } = app
    const finance = await schedules.add()
    slack.rateLimitNext('chat.postMessage', 300)
    const due = await schedules.due()
    for (const seconds of [1, 200]) {
      await schedules.at(due + seconds * 1000)
      expect(slack.callsTo('chat.postMessage')).toHaveLength(1)
      expect(schedules.posts(finance)).toEqual([])
    }
    await schedules.at(due + 310_000)
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(schedules.notices()).toEqual([])
  })

  it('waits an hour at most if Slack or the service sends an instant instead of seconds', async () => {
    const { slack, sandbox } = app
    const finance = await schedules.add()
    const instant = Math.round((Date.now() + 365 * dayMs) / 1000)
    const headers = { 'retry-after': String(instant) }
    sandbox.faults.next({ kind: 'status', status: 429, headers }, { operation })
    slack.rateLimitNext('chat.postMessage', instant)
    const due = await schedules.due()
    for (const hours of [0, 1]) {
      await schedules.at(due + hours * (hourMs + 30_000) + 5000)
      expect(schedules.posts(finance)).toEqual([])
    }
    await schedules.at(due + 2 * (hourMs + 30_000) + 5000)
    expect(schedules.posts(finance)).toHaveLength(1)
  })

  it('retries while the service is down, and gives up after a day', async () => {
    const { sandbox } = app
    const finance = await schedules.add()
    const fault = { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const
    sandbox.faults.always(fault, { operation })
    const due = await schedules.due()
    await schedules.at(due + 1000)
    expect(sandbox.requests.entries(operation).some(({ status }) => status === 429)).toBe(true)
    await schedules.at(due + hourMs + 6000)
    expect(schedules.notices()).toEqual([])
    await schedules.at(due + dayMs + hourMs + 6000)
    expect(schedules.notices()).toEqual([expect.stringContaining('was skipped')])
    sandbox.faults.clear()
    const direct = () => app.slack.messages().findLast(({ channel }) => channel.startsWith('D'))
    expect(await app.admin.click(await app.slack.waitFor(direct), showButton)).toShow(shows)
    expect(schedules.posts(finance)).toEqual([])
    await schedules.pass()
    expect(schedules.posts(finance)).toHaveLength(1)
  })

  it.each([
    ['cuts the connection', { cut: true }],
    ['says that it does not know', { body: { ok: false, error: 'internal_error' } }],
  ])("doesn't post again if Slack %s, but asks its owner to check", async (_, fault) => {
    const { slack } = app
    const finance = await schedules.add()
    slack.failNext('chat.postMessage', fault)
    await schedules.pass()
    expect(schedules.notices()).toHaveLength(1)
    expect(schedules.notices()[0]).toContain('may be missing')
    const sent = slack.callsTo('chat.postMessage').filter(({ args }) => args['channel'] === finance.id)
    expect(sent).toHaveLength(1)
    expect(await schedules.audit()).toShow('not confirmed by Slack')
  })

  it('is posted once if the process ends between sending and recording, and its owner is asked to check', async () => {
    const { clock, slack } = app
    const finance = await schedules.add()
    const due = await schedules.due()
    const planAgain = schedules.refusePlans()
    clock.ahead = due + 1000 - Date.now()
    await expect.poll(() => schedules.posts(finance), { timeout: 8000 }).toHaveLength(1)
    await app.restart(planAgain)
    await app.jobsDone()
    const sent = slack.callsTo('chat.postMessage').filter(({ args }) => args['channel'] === finance.id)
    expect(sent).toHaveLength(1)
    expect(schedules.notices()).toEqual([expect.stringContaining('may be missing')])
    expect(await schedules.due()).toBe(due + 7 * dayMs)
  })

  describe('while its content is read', () => {
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

    it("may be posted by another process, and isn't posted again", async () => {
      const finance = await schedules.add()
      const due = await schedules.due()
      const proceed = await holdReading(due)
      app.stored.setValue('%schedules', `json_set(value, '$.postedDay', '${utcDay(new Date(due))}')`)
      await proceed()
      expect(schedules.posts(finance)).toEqual([])
    })

    it('may be moved, and is posted only at its new time', async () => {
      const finance = await schedules.add({ rhythm: 'weekly 1', time: '09:00' })
      const edit = await schedules.edit(await schedules.list())
      const due = await schedules.due()
      const proceed = await holdReading(due)
      expect(await schedules.save(edit, { rhythm: 'weekly 3', time: '12:00' })).toShow('Saved')
      await proceed()
      expect(schedules.posts(finance)).toEqual([])
      expect(await schedules.due()).toBe(due + 2 * dayMs + 3 * hourMs)
      await schedules.pass()
      expect(schedules.posts(finance)).toHaveLength(1)
    })

    it("may be moved, and isn't stopped by the failure of the old one", async () => {
      const finance = await schedules.add({ rhythm: 'weekly 1', time: '09:00' })
      const edit = await schedules.edit(await schedules.list())
      const due = await schedules.due()
      const proceed = await holdReading(due)
      expect(await schedules.save(edit, { rhythm: 'weekly 3', time: '12:00' })).toShow('Saved')
      Object.assign(finance, { isArchived: true })
      await proceed()
      expect(await schedules.due()).toBe(due + 2 * dayMs + 3 * hourMs)
      expect(await schedules.list()).not.toShow('Stopped')
      expect(await schedules.audit()).not.toShow('Callboard stopped')
    })

    it("isn't moved by a change of the channel's zone", async () => {
      const finance = await schedules.add({ rhythm: 'weekly 1', time: '09:00' })
      const proceed = await holdReading(await schedules.due())
      await app.slack.as(app.admin.user, { channel: finance }).command('/calls timezone -08:00')
      await proceed()
      expect(schedules.posts(finance)).toHaveLength(1)
    })
  })

  it.each([
    ['limits the rate and names no wait', { status: 429, body: { ok: false, error: 'ratelimited' } }],
    ['says that the workspace sends too many', { body: { ok: false, error: 'message_limit_exceeded' } }],
  ])('posts a little later if Slack %s', async (_, fault) => {
    const { slack } = app
    const finance = await schedules.add()
    slack.failNext('chat.postMessage', fault)
    const due = await schedules.due()
    await schedules.at(due + 1000)
    expect(schedules.posts(finance)).toEqual([])
    await schedules.at(due + 10 * 60_000)
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(schedules.notices()).toEqual([])
  })

  it("follows a change of the channel's zone", async () => {
    const { admin, slack } = app
    const finance = await schedules.add()
    const before = await schedules.due()
    await slack.as(admin.user, { channel: finance }).command('/calls timezone +05:00')
    expect(await schedules.list()).toShow('(+05:00)')
    // If less than five hours are left, the time has already passed there, and the post is sent within a minute.
    await schedules.at(Math.max(before - 5 * hourMs, Date.now() + 60_000) + 1000)
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(schedules.posts(finance)[0]).not.toShow('Late')
  })
})

describe('a billing schedule', () => {
  const schedules = new Schedules(app)

  it('posts only on the billing date, even if the service already names the next one', async () => {
    const finance = await schedules.add({ rhythm: 'billing-date', time: '09:00' })
    const due = await schedules.due()
    for (const day of [due - 2 * dayMs, due - dayMs]) await schedules.at(day + 1000)
    expect(schedules.posts(finance)).toEqual([])
    const record = { billingcycle: '2031-01-05' }
    app.sandbox.faults.always({ kind: 'set', record }, { operation: 'billing' })
    await schedules.at(due + 1000)
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(schedules.posts(finance)[0]).toShow('5 Jan 2031')
    await schedules.at(due + dayMs + 1000)
    expect(schedules.posts(finance)).toHaveLength(1)
  })

  it("lists the service's billing date, although it is due every day", async () => {
    const record = { billingcycle: '2031-01-05' }
    app.sandbox.faults.always({ kind: 'set', record }, { operation: 'billing' })
    await schedules.add({ rhythm: 'billing-date', time: '09:00' })
    expect(await schedules.list()).toShow('Next: 5 Jan 2031, 09:00')
  })
})

it('a bill shows the card and the credit limit if they were ticked', async () => {
  const schedules = new Schedules(app)
  const finance = await schedules.add({ rhythm: 'weekly 1', include: ['card', 'limit'] })
  await schedules.pass()
  expect(schedules.posts(finance)[0]).toShow('Visa ending 4242', '$500.00')
  const form = await schedules.edit(await schedules.list())
  expect(JSON.stringify(form.blocks)).toContain('"initial_options"')
  expect(await schedules.save(form, { include: [] })).toShow('Saved')
  await schedules.pass()
  expect(schedules.posts(finance)[1]).not.toShow('4242', '$500.00')
})
