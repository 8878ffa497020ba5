import { describe, expect, it } from 'vitest'
import { toMissedCallId } from '../../../src/store/missed-calls.ts'
import { dayMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { sharePage } from '../../support/share-page.ts'
import { getHead, getRows } from '../../support/shown.ts'
import { Alerts } from './alerts.ts'

const app = useApp({ connected: true, calls: 100 })
const alerts = new Alerts(app)

const ada = { person: 'U1', name: 'Ada' }
const ben = { person: 'U2', name: 'Ben' }

/** Stores a call that was posted at once. @param after minutes until it was taken or closed */
async function missed(daysAgo: number, after?: number, how: 'taken' | 'done' = 'taken', who = ada) {
  const at = Date.now() - daysAgo * dayMs - 5 * minuteMs
  const act = { ...who, at: at + (after ?? 0) * minuteMs }
  await alerts.missed(at, after === undefined ? {} : { [how]: act })
}

describe('a report', () => {
  it('counts the missed calls of its days, who has them, and the time until then', async () => {
    const { member } = app
    expect(await member.command('/calls report')).not.toShow('*Alerts*', 'waiting')
    app.clock.ahead = 11 * minuteMs
    await missed(1, 2)
    await missed(2, 7)
    await missed(3, 90, 'done')
    await missed(9, 1)
    await missed(5, 3)
    // A direct message isn't counted: only its reader can close it. A call that a channel shows, too, is.
    const at = Date.now() - 2 * dayMs
    const direct = { message: 'A2', channel: member.user.id, at }
    await alerts.missed(at, { shownIn: [direct] })
    await alerts.missed(at, { shownIn: [direct, { ...direct, channel: app.slack.general.id }] })
    // No message with this call was confirmed.
    await alerts.missed(at, { shownIn: [] })
    const report = await member.command('/calls report')
    const figures = '5 missed · 4 taken · 1 done · 1 waiting, typically taken after 5 min'
    expect(report).toShow('*A missed call is waiting*', `*Alerts*\n${figures}`)
    expect(report.text).toContain(`\nA missed call is waiting\n`)
    expect(await member.command('/calls report incoming by:hour')).toShow(figures)
    // The phone service doesn't know who takes a call; outgoing calls don't count as missed.
    for (const words of ['outgoing', 'agent:hollis', 'line:+493055501000'])
      expect(await member.command(`/calls report ${words}`)).not.toShow('*Alerts*', 'waiting')
  })

  it('counts a call of exactly midnight only on the day that begins then', async () => {
    await app.member.command('/calls timezone UTC')
    const midnight = Math.floor(Date.now() / dayMs - 1) * dayMs
    await alerts.missed(midnight)
    const times = [midnight - 14 * dayMs, midnight - 1, midnight]
    const [from, before, after] = times.map((at) => new Date(at).toISOString().slice(0, 10))
    const report = await app.member.command(`/calls report from:${from} to:${before}`)
    expect(report).toShow('*Missed*')
    expect(report).not.toShow('*Alerts*')
    expect(await app.member.command(`/calls report from:${from} to:${after}`)).toShow('*Alerts*\n1 missed')
  })

  it("counts the time from the message, because a night is nobody's delay", async () => {
    const at = Date.now() - dayMs
    const posted = { message: 'A1', channel: app.slack.general.id, at: at + 14 * minuteMs }
    await alerts.missed(at, { shownIn: [posted], taken: { ...ada, at: at + 16 * minuteMs } })
    const report = await app.member.command('/calls report')
    expect(report).toShow('1 taken · 0 done · 0 waiting, taken after 2 min')
  })

  it('says so if none was taken, and if older ones are deleted', async () => {
    const { member } = app
    await missed(1)
    const untaken = await member.command('/calls report last 7 days')
    expect(untaken).toShow('1 missed · 0 taken · 0 done · 1 waiting')
    await missed(4)
    expect(await member.command('/calls report last 7 days')).toShow('*2 missed calls are waiting*')
    await missed(9, 0)
    expect(await member.command('/calls report last 14 days')).toShow('taken after less than a minute')
    const longer = await member.command('/calls report last 120 days')
    expect(longer).toShow('3 missed in the last 100 days · 1 taken')
  })

  it('that is shared says the same as before, although more were taken since', async () => {
    await missed(1, 2)
    const at = Date.now() - 2 * dayMs
    const posted = { message: 'A1', channel: app.slack.general.id, at }
    await alerts.missed(at, { shownIn: [posted] })
    const report = await app.member.command('/calls report')
    expect(report).toShow('2 missed · 1 taken · 0 done · 1 waiting')
    app.clock.ahead = minuteMs
    await alerts.store(async (store, tenant) => {
      const taken = { ...ada, at: Date.now() + minuteMs }
      for await (const call of store.missedCalls.scan())
        if (call.at === at)
          await store.missedCalls.set(tenant, toMissedCallId(call), { ...call, taken, done: taken })
    })
    await alerts.missed(at + dayMs, { shownIn: [{ ...posted, at: Date.now() + minuteMs }] })
    await app.restart()
    const shared = await sharePage(app, app.member, report, 'report.share')
    expect(shared).toShow('2 missed · 1 taken · 0 done · 1 waiting')
    expect(await app.member.command('/calls report')).toShow('3 missed · 2 taken · 1 done')
  })

  it('by person, lists how many calls were taken, how soon, and how many were finished', async () => {
    const { member } = app
    const none = await member.command('/calls report by:person')
    expect(none).toShow('Nobody has taken a missed call of these days.')
    app.clock.ahead = 11 * minuteMs
    await missed(1, 2)
    await missed(2, 10)
    await missed(3, 4, 'done')
    await missed(3, 1, 'taken', ben)
    await missed(1, 1, 'done', { person: 'U3', name: 'Cleo' })
    await missed(4)
    const at = Date.now() - dayMs
    await alerts.missed(at, { taken: { ...ada, at: at + 4 * minuteMs }, done: { ...ben, at: Date.now() } })
    const report = await member.command('/calls report by:person')
    expect(getHead(report)).toEqual(['Person', 'Taken', 'Typical wait', 'Longest wait', 'Done'])
    expect(getRows(report)).toEqual([
      ['Ada', '4', '4 min', '10 min', '1'],
      ['Ben', '1', '1 min', '1 min', '1'],
      ['Cleo', '1', '1 min', '1 min', '1'],
    ])
    expect(report).toShow('Show waiting calls')
    // The report stays, because everyone may see it.
    const waiting = await member.click(report, 'calls.open')
    expect([waiting.ts === report.ts, waiting.onlyFor]).toEqual([false, member.user.id])
    for (const filter of ['outgoing', 'agent:hollis', 'agent:me', 'line:5042'])
      expect(await member.command(`/calls report by:person ${filter}`)).toShow('Leave out the other filters.')
  })
})
