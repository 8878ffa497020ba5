import { z } from 'zod'
import type { Answer } from '../../slack/answers/answer.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { button } from '../../slack/blocks/blocks.ts'
import { readReportQuery, writeReportQuery } from '../../slack/blocks/report-query.ts'
import { readValue } from '../../slack/blocks/values.ts'
import { discardButton, PostMessages, postButtonText } from '../../slack/posting/messages.ts'
import { digestOf, type PreviewSetting, postPlan, previewOf } from '../../slack/posting/preview.ts'

/** A report for a channel: as of one instant, so that what is posted is what was previewed. */
const reportPlan = postPlan.extend({ query: z.string().transform((text) => readReportQuery(text)) })
export type ReportPost = z.infer<typeof reportPlan>
const planWithDigest = reportPlan.extend({ digest: z.string() })

const writePlan = ({ query, ...plan }: ReportPost, more: object = {}) =>
  JSON.stringify({ ...plan, query: writeReportQuery(query), ...more })

/** @throws {ForgedValueError} */
export const readPlan = (value: string | undefined): ReportPost => readValue(reportPlan, value, 'a post')

/** @throws {ForgedValueError} */
export const readPlanWithDigest = (value: string | undefined) => readValue(planWithDigest, value, 'a post')

/** What a person is told about a report's post. */
export const reportPostMessages = (plan: Pick<ReportPost, 'query' | 'nonce'>): PostMessages =>
  new PostMessages({
    again: (channel, text) => button(ACTIONS.reportPostAgain, text, writePlan({ ...plan, channel })),
    choose: button(ACTIONS.reportPostChannel, 'Choose a channel…', writeReportQuery(plan.query)),
    request: 'the call report',
  })

/** Exactly what would be posted, with buttons to post or discard it. Pure. */
export function previewReport(post: Answer, plan: ReportPost, setting: PreviewSetting): Answer {
  const value = writePlan(plan, { digest: digestOf(post.message) })
  return previewOf(post, plan.channel, setting, [
    {
      type: 'actions',
      elements: [
        button(ACTIONS.reportPostSend, postButtonText(setting.channelName), value, 'primary'),
        discardButton(ACTIONS.reportPostCancel, writeReportQuery(plan.query)),
      ],
    },
  ])
}
