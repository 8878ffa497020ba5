import type { types } from '@slack/bolt'
import type { Notice } from '../../slack/deliver/notices.ts'
import type { Answer } from '../../slack/deliver/replies.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { Zone } from '../../time/zones.ts'
import { type SubscriptionInfo, subscriptionActions } from './kind.ts'
import type { Rhythm, Schedule, ScheduleDraft, ScheduleRows, Slot } from './schedule-rows.ts'

export interface ScheduleInfo extends SubscriptionInfo {
  /** In the middle of a sentence. */
  readonly post: string
  readonly posts: string
  /** Action in the audit log. */
  readonly posted: string
  /** In the order of the form. */
  readonly rhythms: readonly Rhythm[]
}

/** Returns what all kinds of schedules have in common. @param prefix of action ids */
export function scheduleInfo(
  prefix: string,
  own: Pick<ScheduleInfo, 'needs' | 'command' | 'post' | 'audit' | 'posted' | 'rhythms'> & {
    readonly perPage: number
    readonly invitation: string
  },
): ScheduleInfo {
  const { perPage, invitation, ...more } = own
  const posts = `${own.post}s`
  return {
    ...more,
    posts,
    word: 'schedule',
    longWord: 'schedule',
    form: prefix,
    title: `Schedule ${posts}`,
    actions: subscriptionActions(prefix),
    consequence: `It won't post ${posts} any more.`,
    meanwhile: 'Nothing is posted meanwhile.',
    list: {
      title: `Scheduled ${posts}`,
      perPage,
      none: `No ${posts} are scheduled yet. ${invitation}`,
      hint: 'Posts more than a day late are skipped.',
      button: { id: `${own.command}-schedules`, text: `All ${posts}` },
    },
  }
}

export interface DuePost {
  readonly schedule: Schedule
  readonly tenant: TenantKey
  readonly zone: Zone
  readonly slot: Slot
}

/** Posts of one kind: what bills and reports have in common is in `Scheduler`. */
export interface ScheduleKind {
  readonly info: ScheduleInfo
  readonly schedules: ScheduleRows
  /** Name of the queue of due posts. */
  readonly queue: string
  /** Says in the form what everyone in the channel will see. mrkdwn. */
  readonly intro: string
  inputs(schedule: ScheduleDraft | undefined): readonly types.InputBlock[]
  readInputs(view: ViewPayload): Pick<Schedule, 'by' | 'include'>
  /** Reads what a schedule needs to know about the account; nothing if the service doesn't reply. @throws {StoreError} */
  readDetails(interaction: Interaction, draft: ScheduleDraft): Promise<Pick<Schedule, 'billingDay'>>
  /**
   * Loads the content, without the name of the owner; no post if there is nothing to say.
   * @param ending aborted when the process stops: the job runs again
   * @throws {TelephonyError | StoreError | NotConnectedError}
   */
  load(
    due: DuePost,
    ending: AbortSignal,
  ): Promise<{
    readonly post: Answer | undefined
    readonly changes?: Pick<Schedule, 'billingDay' | 'postedBill'>
  }>
  /** Whether a skipped post is worth a notice. */
  isMissed(due: DuePost): boolean
  /** Button of a notice about a post that may be missing. */
  missedPostCommand(due: Pick<DuePost, 'schedule' | 'slot'>): NonNullable<Notice['command']>
  count(outcome: string): void
}
