import type { ScheduleKind } from '../../planned/schedule-kind.ts'
import type { Services } from '../../services.ts'
import { escapeText } from '../../slack/blocks/blocks.ts'
import type { ReportQuery } from '../../slack/blocks/report-query.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import type { ScheduleDraft } from '../../store/schedules.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import type { LocalDay } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { daysBefore } from './period.ts'
import { Reports } from './reports.ts'
import { noPreview, previewInWords, reportForm, silentPreview, usualReport } from './schedule-form.ts'
import { isEmpty, postedReport, type ReportView, reportInWords } from './view.ts'
import { emptyText, postDetail } from './words.ts'

type Planned = Pick<ScheduleDraft, 'report'>

const queryOn = (day: LocalDay, { report = usualReport }: Planned): ReportQuery => ({
  ...daysBefore(report.range, day),
  by: report.by,
})

const isSilent = ({ report: { onlyWithCalls } = usualReport }: Planned, view: ReportView) =>
  onlyWithCalls && isEmpty(view.report)

/** What `/calls schedule` plans. */
export function reportSchedules({
  telephony,
  agentList,
  workspaces,
  store,
  metrics,
  readingTimes,
  now,
}: Pick<
  Services,
  'telephony' | 'agentList' | 'workspaces' | 'store' | 'metrics' | 'readingTimes' | 'now'
>): ScheduleKind {
  const reports = new Reports({ telephony, agentList, workspaces, store, readingTimes, now })
  return {
    ...reportForm,
    schedules: store.reportSchedules,
    queue: 'report-posts',
    learn: async () => ({}),
    async preview(interaction, draft, zone) {
      const query = queryOn(localDay(zone, new Date(now())), draft)
      try {
        const view = await reports.load({ ...interaction, fallback: {} }, query, zone)
        if (!isSilent(draft, view)) return previewInWords(reportInWords(view))
        return silentPreview(escapeText(emptyText(query, view.lines)))
      } catch (error) {
        if (!(error instanceof TelephonyError)) throw error
        return noPreview(describeFailure(error).pauseText)
      }
    },
    async load({ schedule, tenant, zone, slot }, _actor, ending) {
      const query = queryOn(slot.day, schedule)
      const view = await reports.loadInBackground(tenant, { query, zone, ending })
      return { post: isSilent(schedule, view) ? undefined : postedReport(view) }
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
