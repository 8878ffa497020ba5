import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkMessage, checkView } from '../../../dev/slack/block-kit/index.ts'
import { alertInfo, toAlertRow } from '../../../src/features/alerts/kind.ts'
import { billingSchedule } from '../../../src/features/billing/actions.ts'
import { scheduleRow } from '../../../src/features/planned/schedules.ts'
import { orphanBlocks, plannedBlocks, plannedMessage } from '../../../src/features/planned/view.ts'
import { reportForm } from '../../../src/features/reports/schedule-kind.ts'
import { LIMITS } from '../../../src/slack/blocks/blocks.ts'
import { withTeam } from '../../../src/slack/blocks/values.ts'
import { channelRefusal, describeFailure } from '../../../src/slack/deliver/failures.ts'
import type { Schedule, ScheduleDay } from '../../../src/store/schedules.ts'
import { CredentialsRejectedError } from '../../../src/telephony/errors.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
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
const whys = fc.oneof(
  reasons,
  fc.constant(describeFailure(new CredentialsRejectedError('billing')).pauseText),
)
const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
const days: fc.Arbitrary<ScheduleDay> = fc.oneof(
  weekdays.map((own) => ({ kind: 'daily' as const, weekdays: own })),
  fc.integer({ min: 1, max: 7 }).map((weekday) => ({ kind: 'weekly' as const, weekday })),
  fc.constant({ kind: 'monthly' as const, day: 'last' as const }),
)

const kindInfos = { billing: billingSchedule, report: reportForm.info }

const schedulesOf = (kind: keyof typeof kindInfos) =>
  fc
    .record({
      id: ids,
      channel: ids,
      owner: ids,
      day: days,
      why: fc.option(whys),
      zone: zones,
      isOut: fc.boolean(),
    })
    .map(({ zone, why, isOut, ...own }) => {
      const schedule: Schedule = {
        ...own,
        tenant: team,
        time: '23:59',
        due: now.getTime(),
        dueDay: localDay(zone, now),
        ...(why === null ? {} : { paused: { why } }),
        ...(kind === 'report' ? { report: { range: 'month', by: 'agent', onlyWithCalls: true } } : {}),
      }
      return { ...scheduleRow(schedule, zone, now), isOwnerOut: isOut }
    })

it.each(['billing', 'report'] as const)('a page of the schedules of the kind %s fits a message', (kind) => {
  const info = kindInfos[kind]
  fc.assert(
    fc.property(
      fc.array(schedulesOf(kind), { maxLength: 50 }),
      fc.integer({ min: 1, max: 10 }),
      (all, page) => {
        const note = all[0] && `Paused: ${all[0].title}. Nothing is posted until it's resumed.`
        const message = withTeam(plannedMessage(info, all, { page, nonce: 'abcdefgh', note }), team)
        expect(checkMessage(message)).toEqual([])
        expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(LIMITS.messageBytes)
      },
    ),
    { numRuns: 100 },
  )
})

it('what is planned leaves the home tab room, however much it is and whoever has left', () => {
  const all = fc.tuple(
    fc.array(schedulesOf('billing'), { maxLength: 50 }),
    fc.array(schedulesOf('report'), { maxLength: 50 }),
    fc.array(fc.record({ id: ids, channel: ids, owner: ids, why: fc.option(whys), isOut: fc.boolean() }), {
      maxLength: 50,
    }),
  )
  fc.assert(
    fc.property(all, zones, ([billing, reports, watched], zone) => {
      const alerts = watched.map(({ why, isOut, ...own }) => {
        const one = {
          alert: { ...own, tenant: team, since: 0, lines: [] },
          zone,
          postedAt: undefined,
          failing:
            why === null ? undefined : { since: 0, count: 1, why, isPermanent: true, retryAt: now.getTime() },
          isUnchecked: true,
        }
        return { ...toAlertRow(one, new LineNames([]), now.getTime()), isOwnerOut: isOut }
      })
      const rows = [
        ...billing.map((row) => ({ ...row, info: kindInfos.billing })),
        ...reports.map((row) => ({ ...row, info: kindInfos.report })),
        ...alerts.map((row) => ({ ...row, info: alertInfo })),
      ]
      const infos = [kindInfos.billing, kindInfos.report, alertInfo]
      const blocks = [...orphanBlocks(rows), ...plannedBlocks(infos, infos, rows, true)]
      expect(checkView({ type: 'home', blocks })).toEqual([])
      // The rest of it has thirty blocks at most.
      expect(blocks.length).toBeLessThanOrEqual(70)
    }),
    { numRuns: 100 },
  )
})
