import { z } from 'zod'
import { action } from '../../slack/blocks/action.ts'
import { reportMenu, reportMore, reportQuery } from '../../slack/blocks/report-query.ts'
import { postPlan } from '../../slack/deliver/post-messages.ts'

/** A report for a channel: as of one instant, so that what is posted is what was previewed. */
const reportPost = postPlan.extend({ query: reportQuery })
export type ReportPost = z.infer<typeof reportPost>

/** By another grouping. */
export const reportBy = reportMenu('report.by')

export const reportActions = {
  show: action('report.show.', reportQuery),
  by: reportBy,
  filter: action('report.filter', reportQuery),
  refresh: reportMore.entry('refresh'),
}

export const reportPostActions = {
  open: reportMore.entry('post'),
  channel: action('report.post.channel', reportQuery),
  again: action('report.post.again', reportPost),
  send: action('report.post.send', reportPost.extend({ digest: z.string() })),
  cancel: action('report.post.cancel', reportQuery),
}
