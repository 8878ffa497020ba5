import type { types } from '@slack/bolt'
import type { Actor } from '../slack/access/guards.ts'
import type { Block } from '../slack/blocks/blocks.ts'
import type { Answer } from '../slack/deliver/answer.ts'
import type { Notice } from '../slack/deliver/notices.ts'
import type { ViewPayload } from '../slack/inbound/payloads.ts'
import type { Interaction } from '../slack/routing/routes.ts'
import type { Schedule, ScheduleDraft } from '../store/schedules.ts'
import type { TenantKey } from '../store/tenant.ts'
import type { Zone } from '../time/types.ts'
import type { Slot } from './due-times.ts'
import type { KindInfo } from './kinds.ts'
import type { DueJob, Scheduler } from './scheduler.ts'

/** A schedule at the moment that it is due. */
export interface DueSchedule {
  readonly job: DueJob
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
  readonly info: KindInfo
  /** Says in the form what everyone in the channel will see. mrkdwn. */
  readonly intro: string
  /** Its own inputs in the form, between the channel and the rhythm. */
  inputs(schedule: Schedule | undefined): readonly types.InputBlock[]
  /** What they hold. @throws {ForgedValueError} */
  readInputs(view: ViewPayload): Pick<Schedule, 'report'>
}

/** What is particular to one kind of what is planned. */
export interface ScheduleKind extends ScheduleForm {
  readonly scheduler: Scheduler
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
