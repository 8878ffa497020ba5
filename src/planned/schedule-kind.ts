import type { types } from '@slack/bolt'
import type { Actor } from '../slack/access/guards.ts'
import { action, type ButtonAction } from '../slack/blocks/action.ts'
import type { Block } from '../slack/blocks/blocks.ts'
import type { Answer } from '../slack/deliver/answer.ts'
import type { Notice } from '../slack/deliver/notices.ts'
import type { ViewPayload } from '../slack/inbound/payloads.ts'
import type { Interaction } from '../slack/routing/routes.ts'
import type { Schedule, ScheduleDay, ScheduleDraft, Schedules } from '../store/schedules.ts'
import type { TenantKey } from '../store/tenant.ts'
import type { LocalDay, Zone } from '../time/types.ts'
import { capital } from '../util/text.ts'
import { type PlannedInfo, type PlannedKind, plannedActions } from './kind.ts'

/** By what one kind of schedule is told from the other wherever it is shown: rights, ids and words. */
export interface ScheduleInfo extends PlannedInfo {
  /** In the middle of a sentence. */
  readonly post: string
  readonly posts: string
  /** In the audit log. */
  readonly posted: string
  /** Whether it may come to the person who plans it, by direct message. */
  readonly isDirectOffered: boolean
  /** The choice of that, which the form depends on. */
  readonly where: ButtonAction
  /** The choice of how often it comes: only some of them ask for weekdays. */
  readonly rhythm: ButtonAction
  /** Those that the form offers, in its order. */
  readonly rhythms: readonly ScheduleDay['kind'][]
}

/** What is common to scheduled posts of each kind. @param prefix of its ids */
export function scheduleInfo(
  prefix: string,
  own: Pick<
    ScheduleInfo,
    'needs' | 'command' | 'post' | 'audit' | 'posted' | 'rhythms' | 'isDirectOffered'
  > & {
    readonly perPage: number
  },
): ScheduleInfo {
  const { perPage, ...more } = own
  const posts = `${own.post}s`
  return {
    ...more,
    posts,
    word: 'schedule',
    longWord: 'schedule',
    form: prefix,
    title: `Schedule ${posts}`,
    ...plannedActions(prefix),
    where: action(`${prefix}.where`),
    rhythm: action(`${prefix}.rhythm`),
    takeOver: 'resume',
    consequence: `It won't post ${posts} any more.`,
    list: {
      title: `Scheduled ${posts}`,
      perPage,
      none: `No ${posts} are scheduled yet.`,
      counted: (count) => `Scheduled ${posts}: ${count}.`,
      hint: 'Posts more than a day late are skipped.',
    },
    home: {
      section: 'Scheduled posts',
      prefix: `${capital(posts)}: `,
      new: `${capital(posts)}…`,
      all: { id: `${own.command}-schedules`, text: `All ${posts}` },
    },
  }
}

export type ScheduledPosts = PlannedKind<Schedule, ScheduleDraft> & { readonly info: ScheduleInfo }

/** What a schedule is due for: a day, which stays what it is where the channel's time zone changes, and the instant that this comes to. */
export interface Slot {
  readonly day: LocalDay
  readonly at: Date
}

export interface DueSchedule {
  readonly schedule: Schedule
  readonly tenant: TenantKey
  readonly zone: Zone
  readonly slot: Slot
}

export interface ScheduleKind {
  readonly info: ScheduleInfo
  readonly schedules: Schedules
  /** Of the jobs for those that are due. */
  readonly queue: string
  /** Says in the form what everyone in the channel will see. mrkdwn. */
  readonly intro: string
  /** Its own inputs in the form, between the channel and the rhythm. */
  inputs(schedule: ScheduleDraft | undefined): readonly types.InputBlock[]
  readInputs(view: ViewPayload): Pick<Schedule, 'report' | 'include'>
  /** What has to be known of the account before it is kept, as far as the service tells just now. @throws {StoreError} */
  learn(interaction: Interaction, draft: ScheduleDraft): Promise<Pick<Schedule, 'billingDay'>>
  /** What would be posted now, for a modal: shown before it is saved, where its kind has a preview. */
  preview?(interaction: Interaction, draft: ScheduleDraft, zone: Zone): Promise<readonly Block[]>
  /**
   * Reads what is to be posted: for everyone in the channel, without who scheduled it, and what is noted beside it. Without a
   * post there is nothing to tell.
   * @param ending aborted where the process stops: then it rejects, and runs again
   * @throws {TelephonyError | StoreError | NotConnectedError}
   */
  load(
    due: DueSchedule,
    actor: Actor,
    ending: AbortSignal,
  ): Promise<{
    readonly post: Answer | undefined
    readonly changes?: Pick<Schedule, 'billingDay' | 'reportedDay' | 'postedBill'>
  }>
  /** Whether somebody misses it where nothing could be asked. */
  isMissed(due: DueSchedule): boolean
  makeUp(due: Pick<DueSchedule, 'schedule' | 'slot'>): NonNullable<Notice['command']>
  count(outcome: string): void
}
