import type { Services } from '../../services.ts'
import { choice } from '../../slack/forms/fields.ts'
import * as calendar from '../../time/days.ts'
import { minuteMs } from '../../util/units.ts'
import { createScheduleInfo, type ScheduleKind } from '../subscriptions/kind.ts'
import * as schedules from '../subscriptions/schedule.ts'
import type { ReportQuery } from './actions.ts'
import { ReportLoader } from './loader.ts'
import { planReport } from './period.ts'
import { groupingLabels } from './query.ts'
import { isEmptyReport } from './report.ts'
import { renderReport } from './view.ts'

const DEFAULT_GROUPING = 'line'
/** Reports that take longer show only totals. */
const READING_MS = 5 * minuteMs

export const reportScheduleInfo = createScheduleInfo({
  needs: 'calls',
  command: 'calls',
  post: 'call report',
  intro:
    "Each report covers the days since the one before; if it comes Monday to Friday, Monday's covers Friday to Sunday. Nothing is posted if there were no calls. Your name appears on each report.",
  audit: 'a report schedule',
  posted: 'posted the call report',
  metric: 'report_posts_total',
  showCommand: { id: 'report', text: 'Show report', command: '/calls report' },
  rhythms: ['weekdays', 'daily', ...schedules.WEEKLY_RHYTHMS, 'monthly first', 'monthly last'],
  invitation: 'A channel can get a report on the previous day, week or month.',
})

/** Returns the days from the previous post's to the day before `day`. */
export function toScheduledDays(rhythm: schedules.Rhythm, day: calendar.LocalDay): calendar.DayRange {
  const to = calendar.addDays(day, -1)
  const firstOfLastMonth = calendar.startOfMonth(day, -1)
  if (rhythm === 'monthly first') return { from: firstOfLastMonth, to }
  // The post before was on the last day of its month, and ended with the day before.
  if (rhythm === 'monthly last') return { from: calendar.endOfMonth(firstOfLastMonth), to }
  if (rhythm.startsWith('weekly ')) return calendar.lastDays(7, to)
  const isMonday = calendar.getWeekday(day) === 0
  if (rhythm === 'weekdays' && isMonday) return calendar.lastDays(3, to)
  // Daily, and on the other weekdays.
  return { from: to, to }
}

export function reportSchedules(services: Services): ScheduleKind {
  const loader = new ReportLoader(services)
  const { line, agent, hour } = groupingLabels
  return {
    info: reportScheduleInfo,
    rows: new schedules.ScheduleRows(services.store.database, 'report-schedules'),
    queue: 'report-posts',
    fields: (schedule) => ({ by: choice('Table', { line, agent, hour }, schedule?.by ?? DEFAULT_GROUPING) }),
    async load({ schedule, tenant, zone, slot }, stopSignal) {
      const { rhythm, by = DEFAULT_GROUPING } = schedule
      const query: ReportQuery = { ...toScheduledDays(rhythm, slot.day), direction: 'incoming', by }
      const plan = planReport(query, zone, new Date(services.now()))
      const times = { ...services.readingTimes, readForMs: READING_MS }
      const view = await loader.loadPlan(tenant, plan, { onProgress() {}, times, stopSignal })
      if (isEmptyReport(view.report)) return { post: undefined }
      return { post: renderReport(view, { below: [] }) }
    },
  }
}
