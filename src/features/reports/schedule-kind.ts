import { type ScheduleKind, scheduleInfo } from '../../planned/schedule-kind.ts'
import type { Services } from '../../services.ts'
import { context, escapeText, section } from '../../slack/blocks/blocks.ts'
import type { ReportQuery } from '../../slack/blocks/links.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { choice } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import type { ReportOptions, Schedule, ScheduleDraft } from '../../store/schedules.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import type { LocalDay } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { daysBefore } from './period.ts'
import { reportLoader } from './reports.ts'
import { isEmpty, postedReport, type ReportView, reportInWords } from './view.ts'
import { emptyText, postDetail } from './words.ts'

const usualReport: ReportOptions = { range: 'since', by: 'line', onlyWithCalls: true }

const formOf = ({ range, by, onlyWithCalls }: ReportOptions) =>
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

/** What the form of `/calls schedule` asks for. Pure. */
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
  intro: 'Each post is a call report, and says that you scheduled it. You see a preview before you save.',
  inputs: (schedule) => formOf(schedule?.report ?? usualReport).inputs(),
  readInputs(view) {
    const { values } = formOf(usualReport).read(view)
    if (!values) throw new ForgedValueError('the options of a report')
    const { when, ...rest } = values
    return { report: { ...rest, onlyWithCalls: when === 'calls' } }
  },
}

type Planned = Pick<ScheduleDraft, 'report' | 'day'> & Pick<Schedule, 'reportedDay'>

const queryOn = (day: LocalDay, schedule: Planned): ReportQuery => {
  const { range, by } = schedule.report ?? usualReport
  const compare = range === 'since' ? ({ compare: 'weekdays' } as const) : {}
  return { ...daysBefore(range, day, schedule), by, ...compare }
}

const isSilent = ({ report: { onlyWithCalls } = usualReport }: Pick<Planned, 'report'>, view: ReportView) =>
  onlyWithCalls && isEmpty(view.report)

export function reportSchedules(services: Services): ScheduleKind {
  const { store, metrics, now } = services
  const reports = reportLoader(services)
  return {
    ...reportForm,
    schedules: store.reportSchedules,
    queue: 'report-posts',
    learn: async () => ({}),
    async preview(interaction, draft, zone) {
      const query = queryOn(localDay(zone, new Date(now())), draft)
      try {
        const view = await reports.load({ ...interaction, fallback: {} }, query, zone)
        if (!isSilent(draft, view))
          return [
            ...reportInWords(view),
            // A modal can't hold them.
            context('The post also has a table and a chart.'),
          ]
        return [
          section(escapeText(emptyText(query, view.lines))),
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
      const query = queryOn(slot.day, schedule)
      const view = await reports.loadInBackground(tenant, { query, zone, ending })
      const post = isSilent(schedule, view) ? undefined : postedReport(view)
      return { post, changes: { reportedDay: slot.day } }
    },
    isMissed: () => true,
    makeUp({ schedule, slot }) {
      const query = queryOn(slot.day, schedule)
      // From there it can be posted.
      const command = `/calls report ${postDetail(query)} by:${query.by}`
      return { id: 'report', text: 'Show report', command }
    },
    count: (outcome) => metrics.count('report_posts_total', { how: 'scheduled', outcome }),
  }
}
