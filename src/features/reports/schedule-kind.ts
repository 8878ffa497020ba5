import { type ScheduleKind, scheduleInfo } from '../../planned/schedule-kind.ts'
import type { Services } from '../../services.ts'
import { context, escapeText, section } from '../../slack/blocks/blocks.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { choice } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import type { ReportOptions, Schedule, ScheduleDay, ScheduleDraft } from '../../store/schedules.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import { addDays, endOfMonth, getWeekday, lastDays, startOfMonth, startOfWeek } from '../../time/days.ts'
import type { DayRange, LocalDay } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { ReportLoader } from './loader.ts'
import type { ReportQuery } from './query.ts'
import type { ReportView } from './report.ts'
import { isEmptyReport, renderReport, reportForModal } from './view.ts'
import { describeEmpty, writeDays } from './words.ts'

const defaultOptions: ReportOptions = { range: 'since', by: 'line', onlyWithCalls: true }

const buildOptionsForm = ({ range, by, onlyWithCalls }: ReportOptions) =>
  new Form({
    range: choice(
      'Period',
      {
        since: 'Since the last report',
        day: 'The day before',
        week: 'The week before, Monday to Sunday',
        month: 'The month before',
      },
      range,
    ),
    by: choice('Table', { line: 'By line', agent: 'By agent', hour: 'By hour' }, by),
    when: choice(
      'Post',
      { calls: 'Only when there were calls', always: 'Always' },
      onlyWithCalls ? 'calls' : 'always',
    ),
  })

/** The form of `/calls schedule`. Pure. */
export const reportForm: Pick<ScheduleKind, 'info' | 'intro' | 'inputs' | 'readInputs'> = {
  info: scheduleInfo('calls.schedule', {
    needs: 'calls',
    command: 'calls',
    post: 'call report',
    audit: 'report schedule',
    posted: 'post report',
    rhythms: ['daily', 'weekly', 'monthly'],
    isDirectOffered: true,
    perPage: 5,
  }),
  intro: 'Your name appears on each report. You see a preview before you save.',
  inputs: (schedule) => buildOptionsForm(schedule?.report ?? defaultOptions).inputs(),
  readInputs(view) {
    const { values } = buildOptionsForm(defaultOptions).read(view)
    if (!values) throw new ForgedValueError('the options of a report')
    const { when, ...rest } = values
    return { report: { ...rest, onlyWithCalls: when === 'calls' } }
  },
}

function isScheduledOn(rhythm: ScheduleDay, day: LocalDay): boolean {
  switch (rhythm.kind) {
    case 'billing-date':
      return true
    case 'daily':
      return rhythm.weekdays.includes(getWeekday(day) + 1)
    case 'weekly':
      return rhythm.weekday === getWeekday(day) + 1
    case 'monthly':
      return day === (rhythm.day === 'last' ? endOfMonth(day) : addDays(startOfMonth(day), rhythm.day - 1))
  }
}

/** No rhythm has longer gaps. A schedule that was off for longer starts over. */
const MAX_GAP_DAYS = 31

type ReportedSchedule = Pick<Schedule, 'day' | 'reportedDay'>

/** Starts at the last report's day; for the first report, at the previous day of its rhythm. */
function listUnreportedDays({ day: rhythm, reportedDay = '' }: ReportedSchedule, day: LocalDay): DayRange {
  const earliest = addDays(day, -MAX_GAP_DAYS)
  const isKnown = reportedDay >= earliest && reportedDay < day
  const isFirst = (one: LocalDay) => (isKnown ? one === reportedDay : isScheduledOn(rhythm, one))
  let from = addDays(day, -1)
  while (!isFirst(from) && from > earliest) from = addDays(from, -1)
  return { from, to: addDays(day, -1) }
}

/** Returns the days that a report posted on `day` covers. */
export function toScheduledDays(
  range: ReportOptions['range'],
  day: LocalDay,
  schedule: ReportedSchedule,
): DayRange {
  switch (range) {
    case 'since':
      return listUnreportedDays(schedule, day)
    case 'day':
      return lastDays(1, addDays(day, -1))
    case 'week':
      return lastDays(7, addDays(startOfWeek(day), -1))
    case 'month': {
      const first = startOfMonth(day, -1)
      return { from: first, to: endOfMonth(first) }
    }
  }
}

type ReportSchedule = Pick<ScheduleDraft, 'report' | 'day'> & Pick<Schedule, 'reportedDay'>

const toScheduledQuery = (day: LocalDay, schedule: ReportSchedule): ReportQuery => {
  const { range, by } = schedule.report ?? defaultOptions
  return { ...toScheduledDays(range, day, schedule), direction: 'incoming', by }
}

const isSkipped = ({ report = defaultOptions }: Pick<ReportSchedule, 'report'>, view: ReportView) =>
  report.onlyWithCalls && isEmptyReport(view.report)

export function reportSchedules(services: Services): ScheduleKind {
  const { store, metrics, now } = services
  const loader = new ReportLoader(services)
  return {
    ...reportForm,
    schedules: store.reportSchedules,
    queue: 'report-posts',
    learn: async () => ({}),
    async preview(interaction, draft, zone) {
      const query = toScheduledQuery(localDay(zone, new Date(now())), draft)
      try {
        const view = await loader.load({ ...interaction, fallback: {} }, query, zone)
        if (!isSkipped(draft, view))
          return [...reportForModal(view), context('The post also has a table and a chart.')]
        return [
          section(escapeText(describeEmpty(view.report.plan, view.lines))),
          context('Nothing would be posted: there are no calls.'),
        ]
      } catch (error) {
        if (!(error instanceof TelephonyError)) throw error
        return [
          section(describeFailure(error).pauseText),
          context('No preview right now. You can still save the schedule.'),
        ]
      }
    },
    async load({ schedule, tenant, zone, slot }, _actor, ending) {
      const query = toScheduledQuery(slot.day, schedule)
      const view = await loader.loadInBackground(tenant, { query, zone, ending })
      const post = isSkipped(schedule, view) ? undefined : renderReport(view, [])
      return { post, changes: { reportedDay: slot.day } }
    },
    isMissed: () => true,
    makeUp({ schedule, slot }) {
      const query = toScheduledQuery(slot.day, schedule)
      const command = `/calls report ${writeDays(query)} by:${query.by}`
      return { id: 'report', text: 'Show report', command }
    },
    count: (outcome) => metrics.count('report_posts_total', { how: 'scheduled', outcome }),
  }
}
