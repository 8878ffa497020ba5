import type { types } from '@slack/bolt'
import type { Actor } from '../slack/access/guards.ts'
import type { Block } from '../slack/blocks/blocks.ts'
import type { Answer } from '../slack/deliver/answer.ts'
import type { Notice } from '../slack/deliver/notices.ts'
import type { ViewPayload } from '../slack/inbound/payloads.ts'
import type { Interaction } from '../slack/routing/routes.ts'
import type { Schedule, ScheduleDay, ScheduleDraft, Schedules } from '../store/schedules.ts'
import type { TenantKey } from '../store/tenant.ts'
import type { LocalDay, Zone } from '../time/types.ts'
import { capital } from '../util/text.ts'
import { type PlannedInfo, plannedActions } from './kind.ts'

/** By what one kind of schedule is told from the other wherever it is shown: rights, ids and words. */
export interface ScheduleInfo extends PlannedInfo {
  readonly name: string
  /** In the middle of a sentence. */
  readonly post: string
  readonly posts: string
  /** In the audit log. */
  readonly posted: string
  readonly missed: string
  /** Those that the form offers, in its order. */
  readonly rhythms: readonly ScheduleDay['kind'][]
}

/** What is common to scheduled posts of each kind. @param prefix of its ids */
export function scheduleInfo(
  prefix: string,
  own: Pick<ScheduleInfo, 'name' | 'needs' | 'command' | 'post' | 'audit' | 'posted' | 'rhythms'> & {
    readonly perPage: number
    readonly hasPreview: boolean
  },
): ScheduleInfo {
  const { perPage, hasPreview, command, post, ...more } = own
  const posts = `${post}s`
  return {
    ...more,
    command,
    post,
    posts,
    missed: `${post} missed`,
    word: 'schedule',
    longWord: 'schedule',
    form: prefix,
    ...(hasPreview ? { preview: `${prefix}.preview` } : {}),
    title: `Schedule ${posts}`,
    actions: plannedActions(prefix),
    consequence: `No more ${posts} come from it.`,
    list: {
      title: `Scheduled ${posts}`,
      perPage,
      none: `No ${posts} are scheduled yet.`,
      counted: (count) => `Scheduled ${posts}: ${count}.`,
      hint: 'A post that would come more than a day late is skipped.',
    },
    home: {
      section: 'Scheduled posts',
      prefix: `${capital(posts)}: `,
      new: `Schedule ${posts}…`,
      manage: { id: `${command}-schedules`, text: `Manage ${posts}` },
    },
  }
}

/** Schedules of one kind, as other features see them. */
export interface SchedulesOfKind {
  readonly info: ScheduleInfo
  readonly rows: Pick<Schedules, 'all'>
}

/** What a schedule is due for: a day, which stays what it is where the channel's time zone changes, and the instant that this comes to. */
export interface Slot {
  readonly day: LocalDay
  readonly at: Date
}

/** A schedule at the moment that it is due. */
export interface DueSchedule {
  readonly schedule: Schedule
  readonly tenant: TenantKey
  readonly zone: Zone
  readonly slot: Slot
}

/** What there is to post at a slot. */
export interface LoadedPost {
  /** For everyone in the channel, without who scheduled it; none: there is nothing to tell. */
  readonly post: Answer | undefined
  /** What is noted beside it. */
  readonly changes?: Pick<Schedule, 'billingDay'>
}

/** What the form of one kind of schedule asks for. Pure. */
export interface ScheduleForm {
  readonly info: ScheduleInfo
  /** Says in the form what everyone in the channel will see. mrkdwn. */
  readonly intro: string
  /** Its own inputs in the form, between the channel and the rhythm. */
  inputs(schedule: Schedule | undefined): readonly types.InputBlock[]
  /** What they hold. @throws {ForgedValueError} */
  readInputs(view: ViewPayload): Pick<Schedule, 'report'>
}

/** What is particular to one kind of what is planned. */
export interface ScheduleKind extends ScheduleForm {
  readonly schedules: Schedules
  /** Of the jobs for those that are due. */
  readonly queue: string
  /** What has to be known of the account before it is kept. @throws {StoreError} */
  learn(
    interaction: Interaction,
    draft: ScheduleDraft,
    before: Schedule | undefined,
  ): Promise<Pick<Schedule, 'billingDay'>>
  /** What would be posted now, for a modal: shown before it is saved, where its kind has a preview. */
  preview?(interaction: Interaction, draft: ScheduleDraft, zone: Zone): Promise<readonly Block[]>
  /**
   * Reads what is to be posted.
   * @param ending aborted where the process stops: then it rejects, and runs again
   * @throws {TelephonyError | StoreError | NotConnectedError}
   */
  load(due: DueSchedule, actor: Actor, ending: AbortSignal): Promise<LoadedPost>
  /** Whether somebody misses it where nothing could be asked. */
  isMissed(due: DueSchedule): boolean
  /** Makes up for what was not posted. */
  makeUp(due: Pick<DueSchedule, 'schedule' | 'slot'>): NonNullable<Notice['command']>
  /** What became of a post. */
  count(outcome: string): void
}
