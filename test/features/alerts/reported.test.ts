import { describe, expect, it } from 'vitest'
import { alertMessageId } from '../../../src/store/alerts.ts'
import { dayMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { sharePage } from '../../support/share-page.ts'
import { getHead, getRows } from '../../support/shown.ts'
import { Alerts } from './alerts.ts'

const app = useApp({ connected: true, calls: 100 })
const alerts = new Alerts(app)

/** Stores a message. @param after minutes until it was taken or closed */
function sent(daysAgo: number, after?: number, how: 'taken' | 'done' = 'taken', alertId = 'A1') {
  const openedAt = Date.now() - daysAgo * dayMs - 5 * minuteMs
  const act = { person: 'U1', name: 'Ada', at: openedAt + (after ?? 0) * minuteMs }
  const id = alertMessageId(openedAt, alertId)
  return alerts.sent({ id, openedAt, ...(after === undefined ? {} : { [how]: act }) })
}

describe('a report', () => {
  it('counts the alerts of its days that were taken, and the time until then', async () => {
    const { member } = app
    expect(await member.command('/calls report')).not.toShow('Alerts taken', 'not taken')
    app.clock.ahead = 11 * minuteMs
    await sent(1, 2)
    await sent(2, 7)
    await sent(3, 90, 'done')
    await sent(4)
    await sent(9, 1)
    // Another alert's message at the same time.
    await sent(5, 3, 'taken', 'A2')
    // A direct message isn't counted: only its reader can close it.
    const direct = Date.now() - 2 * dayMs
    await alerts.sent({ id: alertMessageId(direct, 'A3'), openedAt: direct, channel: member.user.id })
    const report = await member.command('/calls report')
    expect(report).toShow('*1 alert not taken*', '*Alerts taken*\n4 of 5 · after 5 min (median)')
    expect(report.text).toMatch(/^[^\n]+\n1 alert not taken\n.*Alerts taken: 4 of 5/)
    expect(await member.command('/calls report incoming by:hour')).toShow('*Alerts taken*\n4 of 5')
    // They are on several lines and have no agent; outgoing calls don't count as missed.
    for (const words of ['outgoing', 'agent:hollis', 'line:+493055501000'])
      expect(await member.command(`/calls report ${words}`)).not.toShow('Alerts taken', 'not taken')
  })

  it('counts the time from the first call, even if the message came later', async () => {
    const openedAt = Date.now() - dayMs
    const taken = { person: 'U1', name: 'Ada', at: openedAt }
    const id = alertMessageId(openedAt, 'A1')
    await alerts.sent({ id, openedAt, firstAt: openedAt - 14 * minuteMs, taken })
    expect(await app.member.command('/calls report')).toShow('1 of 1 · after 14 min')
  })

  it('says so if none was taken, and for a single alert', async () => {
    const { member } = app
    await sent(1)
    expect(await member.command('/calls report last 7 days')).toShow(
      '*1 alert not taken*',
      '*Alerts taken*\n0 of 1',
    )
    await sent(4)
    expect(await member.command('/calls report last 7 days')).toShow(
      '*2 alerts not taken*',
      '*Alerts taken*\n0 of 2',
    )
    await sent(9, 0)
    expect(await member.command('/calls report last 14 days')).toShow(
      '*Alerts taken*\n1 of 3 · after less than a minute',
    )
    // They are deleted after that time.
    expect(await member.command('/calls report last 120 days')).toShow('1 of 3 in the last 100 days')
  })

  it('that is shared says the same as before, although more were taken since', async () => {
    const { member } = app
    await sent(1, 2)
    const openedAt = Date.now() - 2 * dayMs
    const message = { id: alertMessageId(openedAt, 'A3'), openedAt }
    await alerts.sent(message)
    const report = await member.command('/calls report')
    expect(report).toShow('*Alerts taken*\n1 of 2 · after 2 min')
    app.clock.ahead = minuteMs
    await alerts.sent({ ...message, taken: { person: 'U1', name: 'Ada', at: Date.now() + minuteMs } })
    await app.restart()
    expect(await sharePage(app, member, report, 'report.share')).toShow(
      '*Alerts taken*\n1 of 2 · after 2 min',
    )
    expect(await member.command('/calls report')).toShow('*Alerts taken*\n2 of 2')
  })

  it('by person, lists how many alerts were taken, how soon, and how many were closed', async () => {
    const { member } = app
    await sent(1, 2)
    await sent(2, 10)
    await sent(3, 4, 'done')
    await sent(4)
    const report = await member.command('/calls report by:person')
    expect(getHead(report)).toEqual(['Person', 'Taken', 'Median', 'Longest', 'Done'])
    expect(getRows(report)).toEqual([['Ada', '3', '4 min', '10 min', '1']])
    expect(report).toShow('Show waiting calls')
    // The report stays, because everyone may see it.
    const waiting = await member.click(report, 'calls.open')
    expect([waiting.ts === report.ts, waiting.onlyFor]).toEqual([false, member.user.id])
    expect(await member.command('/calls report by:person outgoing')).toShow('Leave out the other filters.')
  })

  it("doesn't count messages that Slack refused", async () => {
    const openedAt = Date.now() - dayMs
    await alerts.sent({ id: alertMessageId(openedAt, 'A1'), openedAt, ts: undefined })
    expect(await app.member.command('/calls report')).not.toShow('not taken')
  })
})
