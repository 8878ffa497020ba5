import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Actor } from '../../slack/access/guards.ts'
import { action, MenuAction } from '../../slack/blocks/actions.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { Notice } from '../../slack/deliver/notices.ts'
import type { Field, FormResult } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { FeatureRoutes } from '../../slack/routing/routes.ts'
import type { Muted } from '../../store/alerts.ts'
import type { Rows } from '../../store/engine/rows.ts'
import type { TenantKey, Workspace } from '../../store/tenant.ts'
import type { Area } from '../../store/workspaces.ts'
import type { Zone } from '../../time/zones.ts'
import type { Rhythm, Schedule, ScheduleOptions, ScheduleRows, Slot } from './schedule.ts'

export const MAX_SUBSCRIPTIONS = 50

const pageNumber = z.int().min(1).max(MAX_SUBSCRIPTIONS)
/** The page is 1 outside of a list. */
const refSchema = z.strictObject({ id: z.string().max(40), page: pageNumber })
export type SubscriptionRef = z.infer<typeof refSchema>

export const createSubscriptionActions = (prefix: string) => ({
  page: action(`${prefix}s.page.`, z.strictObject({ page: pageNumber })),
  create: action(`${prefix}.new`, z.strictObject({ page: pageNumber.optional() })),
  menu: new MenuAction(`${prefix}.menu`, refSchema),
})

export interface SubscriptionInfo {
  readonly needs: Area
  /** Without the slash. */
  readonly command: string
  /** `alert`: the word of the command that opens the form. The list's word is `alerts`. */
  readonly word: string
  /** Title of the form. */
  readonly title: string
  /** Says what everyone in the channel will see. mrkdwn. */
  readonly intro: string
  readonly actions: ReturnType<typeof createSubscriptionActions>
  /** Object of a sentence in the audit log: `an alert`. */
  readonly audit: string
  /** Says what happens to its posts while it is muted. */
  readonly mutedNote: string
  readonly listTitle: string
  /** Shown instead of an empty list. */
  readonly none: string
  /** Shown below the list. */
  readonly hint: string
}

export interface SubscriptionRow {
  readonly id: string
  readonly isFailing: boolean
  /** Muted or stopped. */
  readonly isOff: boolean
  /** mrkdwn, like the lines. */
  readonly title: string
  readonly lines: readonly string[]
}

export interface SubscriptionSection {
  readonly info: SubscriptionInfo
  readonly rows: readonly SubscriptionRow[]
  /** About records that can't be read. mrkdwn. */
  readonly note?: string | undefined
}

/** Posts to a conversation on its own. Its kind is alerts, scheduled reports or scheduled bills. */
export interface Subscription {
  readonly id: string
  readonly workspace: Workspace
  /** A channel, or the owner's own id for direct messages. */
  readonly channel: string
  /** The person who last saved or turned on the subscription, and with whose permissions it posts. */
  readonly owner: string
  readonly muted?: Muted | undefined
}

/** A submitted form before it is saved. */
export type Draft<Options> = Options & Omit<Subscription, 'muted'>

/** @template Options what people choose in the form besides the conversation */
export interface SubscriptionKind<T extends Subscription, Options extends object> {
  readonly info: SubscriptionInfo
  readonly rows: Rows<T>
  /** @throws {StoreError} */
  list(tenant: TenantKey): Promise<readonly SubscriptionRow[]>
  /** Returns what the subscription posts, and when. Not escaped. */
  describe(record: T): Promise<string>
  inputs(tenant: TenantKey, record: T | undefined): Promise<readonly types.InputBlock[]>
  /** @throws {ForgedValueError} */
  read(view: ViewPayload): FormResult<Options>
  /** Keeps the other fields of `before`. */
  make(draft: Draft<Options>, before: T | undefined): T | Promise<T>
  /** Returns the record with the mute. */
  mute(record: T, muted: Muted): T | Promise<T>
  /** Returns the record with its mute ended, and without the failure that stopped it. @param owner its owner from now on */
  turnOn(record: T, owner: string): T | Promise<T>
  /** Called with each record that a person's change stored. */
  afterChange?(record: T): Promise<void>
  /** Tells the conversation that someone muted or turned on the subscription. */
  announce?(actor: Actor, record: T): Promise<void>
  /** Returns what a person should know about a record that was saved, as mrkdwn. */
  warn?(record: T): Promise<string | undefined>
  backgroundRoutes?(): Pick<FeatureRoutes, 'jobs' | 'background'>
}

interface ScheduleInfoBase extends Pick<SubscriptionInfo, 'needs' | 'command' | 'intro' | 'audit'> {
  /** Names a post in sentences and titles: `call report`. */
  readonly post: string
  /** Predicate of a sentence in the audit log: `posted the bill`. */
  readonly posted: string
  readonly metric: 'billing_posts_total' | 'report_posts_total'
  /** Offered to the owner of a post that was skipped, or that Slack didn't confirm. */
  readonly showCommand: NonNullable<Notice['command']>
  /** In the order of the form. */
  readonly rhythms: readonly Rhythm[]
  readonly invitation: string
}

export const createScheduleInfo = (base: ScheduleInfoBase) => ({
  ...base,
  word: 'schedule',
  title: `Schedule ${base.post}s`,
  actions: createSubscriptionActions(`${base.command}.schedule`),
  mutedNote: 'Nothing is posted meanwhile.',
  listTitle: `Scheduled ${base.post}s`,
  none: `No ${base.post}s are scheduled yet. ${base.invitation}`,
  hint: 'Posts more than a day late are skipped.',
})

export interface DuePost {
  readonly schedule: Schedule
  readonly tenant: TenantKey
  readonly zone: Zone
  readonly slot: Slot
}

/** Whether people expect a post of that day: schedules of billing dates are due every day, but post only on the date. */
export const isExpected = ({ schedule, slot }: DuePost): boolean =>
  schedule.rhythm !== 'billing-date' || slot.day === schedule.billingDay

/** Differences between scheduled bills and reports. */
export interface ScheduleKind {
  readonly info: ReturnType<typeof createScheduleInfo>
  readonly rows: ScheduleRows
  readonly queue: string
  /** Returns the form's fields besides rhythm and time. */
  fields(schedule?: Schedule): {
    readonly by?: Field<NonNullable<Schedule['by']>>
    readonly include?: Field<NonNullable<Schedule['include']>>
  }
  /** Returns fields of a schedule that the service knows. @throws {TelephonyError | StoreError} */
  readDetails?(tenant: TenantKey, options: ScheduleOptions): Promise<Pick<Schedule, 'billingDay'>>
  /** @param ending aborted when the process stops @throws {TelephonyError | StoreError | NotConnectedError} */
  load(due: DuePost, ending: AbortSignal): Promise<LoadedPost>
}

interface LoadedPost {
  /** Undefined if there is nothing to say. */
  readonly post: Answer | undefined
  readonly changes?: Pick<Schedule, 'billingDay' | 'postedBill'>
}
