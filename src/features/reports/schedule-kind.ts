import type { Services } from '../../services.ts'
import { choice } from '../../slack/forms/fields.ts'
import {
  addDays,
  type DayRange,
  endOfMonth,
  getWeekday,
  type LocalDay,
  lastDays,
  startOfMonth,
} from '../../time/days.ts'
import {
  type Rhythm,
  type Schedule,
  type ScheduleKind,
  ScheduleRows,
  scheduleInfo,
  WEEKLY_RHYTHMS,
} from '../subscriptions/schedule.ts'
import type { ReportQuery } from './actions.ts'
import { ReportLoader } from './loader.ts'
import { groupingLabels } from './query.ts'
import { isEmptyReport } from './report.ts'
import { renderReport } from './view.ts'

const DEFAULT_GROUPING = 'line'

export const reportScheduleInfo = scheduleInfo({
  needs: 'calls',
  command: 'calls',
  post: 'call report',
  intro:
    "Each report covers the days since the one before: Monday's covers Friday to Sunday. Nothing is posted if there were no calls. Your name appears on each report.",
  audit: 'a report schedule',
  posted: 'posted the call report',
  metric: 'report_posts_total',
  showCommand: { id: 'report', text: 'Show report', command: '/calls report' },
  rhythms: ['weekdays', 'daily', ...WEEKLY_RHYTHMS, 'monthly first', 'monthly last'],
  perPage: 5,
  invitation: 'A channel can get a report on the previous day, week or month.',
})

/** Returns the days since the post before the one on `day`. */
export function toScheduledDays(rhythm: Rhythm, day: LocalDay): DayRange {
  const to = addDays(day, -1)
  const monthBefore = startOfMonth(day, -1)
  if (rhythm === 'monthly first') return { from: monthBefore, to }
  if (rhythm === 'monthly last') return { from: endOfMonth(monthBefore), to }
  if (rhythm.startsWith('weekly ')) return lastDays(7, to)
  const isMonday = getWeekday(day) === 0
  return lastDays(rhythm === 'weekdays' && isMonday ? 3 : 1, to)
}

function toScheduledQuery(day: LocalDay, { rhythm, by = DEFAULT_GROUPING }: Schedule): ReportQuery {
  return { ...toScheduledDays(rhythm, day), direction: 'incoming', by }
}

export function reportSchedules(services: Services): ScheduleKind {
  const loader = new ReportLoader(services)
  const { line, agent, hour } = groupingLabels
  return {
    info: reportScheduleInfo,
    rows: new ScheduleRows(services.store.database, 'report-schedules'),
    queue: 'report-posts',
    fields: (schedule) => ({ by: choice('Table', { line, agent, hour }, schedule?.by ?? DEFAULT_GROUPING) }),
    async load({ schedule, tenant, zone, slot }, ending) {
      const query = toScheduledQuery(slot.day, schedule)
      const view = await loader.loadInBackground(tenant, { query, zone, ending })
      if (isEmptyReport(view.report)) return { post: undefined }
      return { post: renderReport(view, { below: [] }) }
    },
  }
}
