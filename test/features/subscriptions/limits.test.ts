import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkMessage, checkView } from '../../../dev/slack/block-kit/index.ts'
import { alertInfo, toAlertRow } from '../../../src/features/alerts/kind.ts'
import { billingSchedule } from '../../../src/features/billing/view.ts'
import { sectionBlocks } from '../../../src/features/home/view.ts'
import { reportScheduleInfo } from '../../../src/features/reports/schedule-kind.ts'
import { type Schedule, WEEKLY_RHYTHMS } from '../../../src/features/subscriptions/schedule.ts'
import { toScheduleRow } from '../../../src/features/subscriptions/schedule-row.ts'
import { listMessage } from '../../../src/features/subscriptions/view.ts'
import { withTeam } from '../../../src/slack/blocks/block-team.ts'
import { LIMITS } from '../../../src/slack/blocks/blocks.ts'
import { channelRefusal, describeFailure } from '../../../src/slack/deliver/failures.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import { CredentialsRejectedError } from '../../../src/telephony/types.ts'
import { parseZone, zoneNames } from '../../../src/time/zone-names.ts'
import { localDay } from '../../../src/time/zones.ts'

const team = { enterpriseId: 'E0123456789', teamId: 'T0123456789' }
const now = new Date('2026-11-21T12:00:00Z')
const ids = fc.stringMatching(/^[A-Z0-9]{9,12}$/)
const zones = fc.constantFrom(...zoneNames).map((name) => {
  const zone = parseZone(name)
  if (!zone) throw new Error(`no zone ${name}`)
  return zone
})
const reasons = fc
  .tuple(fc.constantFrom('not-in', 'unknown', 'archived', 'shared', 'org-shared', 'direct'), ids)
  .map(([state, channel]) => channelRefusal(state, channel))
const whys = fc.oneof(reasons, fc.constant(describeFailure(new CredentialsRejectedError('billing')).reason))
const rhythms = fc.constantFrom('weekdays' as const, 'monthly first' as const, ...WEEKLY_RHYTHMS)

const kindInfos = { billing: billingSchedule, report: reportScheduleInfo }

const createSchedules = (kind: keyof typeof kindInfos) =>
  fc
    .record({ id: ids, channel: ids, owner: ids, rhythm: rhythms, why: fc.option(whys), zone: zones })
    .map(({ zone, why, ...own }) => {
      const schedule: Schedule = {
        ...own,
        workspace: team,
        time: '23:59',
        muted: { by: own.owner },
        due: { day: localDay(zone, now), at: now.getTime() },
        ...(why === null ? {} : { stopped: { why } }),
        ...(kind === 'report' ? { by: 'agent' as const } : {}),
      }
      return toScheduleRow(schedule, zone, now.getTime())
    })

it.each(['billing', 'report'] as const)('a page of the schedules of the kind %s fits a message', (kind) => {
  const info = kindInfos[kind]
  fc.assert(
    fc.property(
      fc.array(createSchedules(kind), { maxLength: 50 }),
      fc.integer({ min: 1, max: 10 }),
      (all, page) => {
        const note = all[0] ? `Muted: ${all[0].title}. Nothing is posted meanwhile.` : ''
        const message = withTeam(listMessage(info, all, { page, nonce: 'abcdefgh', note }), team)
        expect(checkMessage(message)).toEqual([])
        expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(LIMITS.messageBytes)
      },
    ),
    { numRuns: 100 },
  )
})

it('each page of alerts fits a message', () => {
  const lines = Array.from({ length: 60 }, (_, n) => `+49305550${1000 + n}`)
  const hours = { weekdays: [1, 3, 5, 7], from: '22:00', to: '06:00' }
  const own = { id: 'V0123456789AB', channel: 'C0123456789', owner: 'U0123456789', since: 0 }
  const alert = { ...own, workspace: team, lines, hours, threshold: { calls: 100, minutes: 60 } }
  const why = channelRefusal('unknown', alert.channel)
  const failing = { since: 0, count: 1, why, isPermanent: true, retryAt: 0 }
  const zone = parseZone('America/Argentina/ComodRivadavia')!
  const view = { alert, names: new LineNames([]), zone, postedAt: 0, failing, now: now.getTime() }
  const all = Array.from({ length: 50 }, (_, n) =>
    toAlertRow({ ...view, alert: { ...alert, id: `V0123456789${n}` } }),
  )
  for (const page of [1, 2, 13]) {
    const message = withTeam(listMessage(alertInfo, all, { page, nonce: 'abcdefgh', note: '' }), team)
    expect(checkMessage(message)).toEqual([])
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(LIMITS.messageBytes)
  }
})

it('any number of subscriptions fits the Home tab', () => {
  const all = fc.tuple(
    fc.array(createSchedules('billing'), { maxLength: 50 }),
    fc.array(createSchedules('report'), { maxLength: 50 }),
    fc.array(fc.record({ id: ids, channel: ids, owner: ids, why: fc.option(whys) }), { maxLength: 50 }),
  )
  fc.assert(
    fc.property(all, zones, ([billing, reports, watched], zone) => {
      const alerts = watched.map(({ why, ...own }) => {
        const one = {
          alert: { ...own, workspace: team, since: 0, lines: [] },
          zone,
          postedAt: undefined,
          failing:
            why === null ? undefined : { since: 0, count: 1, why, isPermanent: true, retryAt: now.getTime() },
        }
        return toAlertRow({ ...one, names: new LineNames([]), now: now.getTime() })
      })
      const blocks = [
        ...sectionBlocks({ info: alertInfo, rows: alerts }, true),
        ...sectionBlocks({ info: kindInfos.report, rows: reports }, true),
        ...sectionBlocks({ info: kindInfos.billing, rows: billing }, true),
      ]
      expect(checkView({ type: 'home', blocks })).toEqual([])
      // The rest of the tab has up to thirty blocks.
      expect(blocks.length).toBeLessThanOrEqual(70)
    }),
    { numRuns: 100 },
  )
})
