import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkMessage, checkView } from '../../../dev/slack/block-kit/index.ts'
import { alertInfo, toAlertRow } from '../../../src/features/alerts/kind.ts'
import { billingScheduleInfo } from '../../../src/features/billing/view.ts'
import { sectionBlocks } from '../../../src/features/home/view.ts'
import { reportScheduleInfo } from '../../../src/features/reports/schedule-kind.ts'
import type { SubscriptionInfo, SubscriptionRow } from '../../../src/features/subscriptions/kind.ts'
import { type Schedule, WEEKLY_RHYTHMS } from '../../../src/features/subscriptions/schedule.ts'
import { renderSubscriptions, toScheduleRow } from '../../../src/features/subscriptions/view.ts'
import { withTeam } from '../../../src/slack/blocks/block-team.ts'
import { LIMITS } from '../../../src/slack/blocks/blocks.ts'
import { channelRefusal, describeFailure } from '../../../src/slack/deliver/failures.ts'
import { idleState } from '../../../src/store/alerts.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import { TelephonyError } from '../../../src/telephony/types.ts'
import { parseZone, zoneNames } from '../../../src/time/zone-names.ts'
import { forRuns } from '../../support/properties.ts'

const team = { enterpriseId: 'E0123456789', teamId: 'T0123456789' }
const now = Date.parse('2026-11-21T12:00:00Z')
const ids = fc.stringMatching(/^[A-Z0-9]{9,12}$/)
const zones = fc.constantFrom(...zoneNames).map((name) => parseZone(name)!)
const reasons = fc
  .tuple(fc.constantFrom('not-in', 'unknown', 'archived', 'shared', 'org-shared', 'direct'), ids)
  .map(([state, channel]) => channelRefusal(state, channel))
const whys = fc.oneof(reasons, fc.constant(describeFailure(new TelephonyError('credentials-rejected')).why))
const rhythms = fc.constantFrom('weekdays' as const, 'monthly first' as const, ...WEEKLY_RHYTHMS)
const lines = Array.from({ length: 60 }, (_, n) => `+49305550${1000 + n}`)

const createRows = (by?: Schedule['by']) => {
  const schedules = fc.record({ id: ids, channel: ids, owner: ids, rhythm: rhythms, why: whys, zone: zones })
  const rows = schedules.map(({ zone, why, ...own }) => {
    const muted = { by: own.owner, from: 0 }
    const schedule = { ...own, workspace: team, time: '23:59', muted, stopped: { why }, by }
    return toScheduleRow(schedule, zone, now)
  })
  return fc.array(rows, { maxLength: 50 })
}

const alertRows = fc.array(
  fc.record({ id: ids, channel: ids, owner: ids, why: whys, zone: zones }).map(({ why, zone, ...own }) => {
    const hours = { weekdays: [1, 3, 5, 7], from: '22:00', to: '06:00' }
    const threshold = { calls: 100, minutes: 60 }
    const state = { ...idleState, postedAt: 0 }
    const alert = { ...own, workspace: team, since: 0, lines, hours, threshold, state }
    const failing = { since: 0, count: 1, why, isPermanent: true, retryAt: now }
    return toAlertRow({ alert, names: LineNames.none, zone, failing, now })
  }),
  { maxLength: 50 },
)

const kinds: [string, SubscriptionInfo, fc.Arbitrary<SubscriptionRow[]>][] = [
  ['alerts', alertInfo, alertRows],
  ['scheduled reports', reportScheduleInfo, createRows('agent')],
  ['scheduled bills', billingScheduleInfo, createRows()],
]

it.each(kinds)('a page of %s fits a message', (_, info, rows) => {
  forRuns(60, rows, fc.integer({ min: 1, max: 13 }), (all, page) => {
    const note = all[0] ? `Muted: ${all[0].title}. Nothing is posted meanwhile.` : ''
    const message = withTeam(renderSubscriptions(info, all, { page, nonce: 'abcdefgh', note }), team)
    expect(checkMessage(message)).toEqual([])
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(LIMITS.messageBytes)
  })
})

it('any number of subscriptions fits the Home tab', () => {
  const [alerts, reports, bills] = kinds.map(([, info, rows]) =>
    rows.map((all) => sectionBlocks({ info, rows: all })),
  )
  forRuns(60, fc.tuple(alerts!, reports!, bills!), (sections) => {
    const blocks = sections.flat()
    expect(checkView({ type: 'home', blocks })).toEqual([])
    // The rest of the tab has up to thirty blocks.
    expect(blocks.length).toBeLessThanOrEqual(70)
  })
})
