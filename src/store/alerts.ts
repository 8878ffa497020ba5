import { z } from 'zod'
import { isPersonId } from '../util/mentions.ts'
import { dayMs, type EpochMs, type Milliseconds } from '../util/units.ts'
import { workspaceSchema } from './tenant.ts'
import { epochMsSchema, ISO_TIME_LENGTH, timeOfDaySchema } from './times.ts'

/** Uses the channel's time zone. Calls that are missed outside are posted once the hours begin. */
const alertHoursSchema = z.strictObject({
  /** 1 is Monday, 7 is Sunday: the day on which the hours begin. */
  weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7),
  from: timeOfDaySchema,
  /** On the next day unless it is after `from`. */
  to: timeOfDaySchema,
})
export type AlertHours = z.infer<typeof alertHoursSchema>

/** Without `until`, a mute lasts until someone turns the alert on. `by` is the person's id. */
export const mutedSchema = z.strictObject({
  by: z.string(),
  from: epochMsSchema,
  until: epochMsSchema.optional(),
})
export type Muted = z.infer<typeof mutedSchema>

export const MAX_REMINDED_PEOPLE = 5

/** Settings of reminders in the thread of a message with waiting calls. */
const reminderSettingsSchema = z.strictObject({
  afterMinutes: z.number().int().min(1).max(720),
  /** Ids of the people to mention. */
  people: z.array(z.string()).max(MAX_REMINDED_PEOPLE),
  /** Shows the first one in the channel, too. */
  isBroadcast: z.literal(true).optional(),
})

export const missedCallSchema = z.strictObject({
  /** From `toShortId` of `telephony/types.ts`. The service may give one id to several calls. */
  id: z.string(),
  /** Time of the call by the service's clock. */
  at: epochMsSchema,
  /** The company's own number that was called. */
  line: z.string(),
})
export type MissedCall = z.infer<typeof missedCallSchema>

/** Why an account can't be polled, or an alert can't post. */
const failingSchema = z.strictObject({
  since: epochMsSchema,
  /** Failures in a row. */
  count: z.number().int().min(1),
  /** mrkdwn. */
  why: z.string(),
  /** A person has to fix it. */
  isPermanent: z.boolean(),
  retryAt: epochMsSchema,
  /** The owners were notified. */
  isTold: z.boolean().optional(),
})
export type Failing = z.infer<typeof failingSchema>

/** Calls that wait for a message, newest first, and the number of older ones that are only counted. */
const callListSchema = z.strictObject({ calls: z.array(missedCallSchema), older: z.number().int() })
export type CallList = z.infer<typeof callListSchema>

const plannedReminderSchema = z.strictObject({
  /** Id of the alert's message. */
  message: z.string(),
  at: epochMsSchema,
  /** Number of earlier reminders, with those that found no waiting call. */
  sent: z.number().int(),
})
export type PlannedReminder = z.infer<typeof plannedReminderSchema>

const alertStateSchema = z.strictObject({
  /** Calls that are in no confirmed message. */
  waiting: callListSchema,
  /** Calls of a mute or a long gap. Only their number is posted. */
  skipped: callListSchema.optional(),
  failing: failingSchema.optional(),
  /** The latest message, which may not be confirmed yet. */
  messageId: z.string().optional(),
  /** Until then, only the process that set it may post calls. */
  sendingUntil: epochMsSchema.optional(),
  /** When Slack last confirmed a message. */
  postedAt: epochMsSchema.optional(),
  reminders: z.array(plannedReminderSchema).optional(),
})
export type AlertState = z.infer<typeof alertStateSchema>

export const noCalls: CallList = { calls: [], older: 0 }
export const idleState: AlertState = { waiting: noCalls }

/** Drops a field that earlier versions wrote. Any other unknown field makes a record unreadable. */
const formerFieldSchema = z.optional(z.unknown().transform(() => undefined))

/** A record that can't be read posts nothing. */
export const alertSchema = z
  .strictObject({
    id: z.string(),
    workspace: workspaceSchema,
    /** A channel, or the owner's own id for direct messages. */
    channel: z.string(),
    /** The alert posts with this person's permissions. */
    owner: z.string(),
    /** Calls that were missed before are never posted. */
    since: epochMsSchema,
    /** The company's own numbers as the service writes them; empty for every line. */
    lines: z.array(z.string()),
    threshold: z
      .strictObject({ calls: z.number().int().min(2).max(100), minutes: z.number().int().min(1).max(60) })
      .optional(),
    hours: alertHoursSchema.optional(),
    /** The latest mute, which may have ended. Calls that are missed meanwhile are never posted. */
    muted: mutedSchema.optional(),
    remind: reminderSettingsSchema.optional(),
    /** Earlier versions stored the state elsewhere. Their alerts find the waiting calls again. */
    state: alertStateSchema.default(idleState),
    mutedFrom: formerFieldSchema,
  })
  .refine(({ channel, owner }) => !isPersonId(channel) || channel === owner, {
    error: 'direct messages go to the owner alone',
  })
export type AlertRecord = z.infer<typeof alertSchema>

export const isMuted = ({ muted }: Pick<AlertRecord, 'muted'>, now: EpochMs): boolean =>
  muted !== undefined && (muted.until === undefined || muted.until > now)

/** Applies to messages and their calls, so reports know what became of missed calls for as long. */
export const MISSED_CALLS_KEPT_MS: Milliseconds = 100 * dayMs

export const alertMessageSchema = z.strictObject({
  /** Starts with `openedAt`, so that rows sort by time. */
  id: z.string(),
  workspace: workspaceSchema,
  channel: z.string(),
  ownerName: z.string().optional(),
  openedAt: epochMsSchema,
  /** All calls, including older ones that have no row. */
  count: z.number().int().min(1),
  firstAt: epochMsSchema,
  /** Ids of the rows of its calls, newest first. */
  calls: z.array(z.string()),
  /** The message only tells how many calls the alert didn't post. */
  isNotPosted: z.literal(true).optional(),
  /** Undefined until Slack has confirmed the message. */
  ts: z.string().optional(),
  /** Conversation that Slack posted to: direct messages have an id of their own. */
  conversation: z.string().optional(),
  /** Set once one of its calls was taken or done: later calls start another message. */
  isClosed: z.literal(true).optional(),
  /** Raised with each change that Slack has to show. */
  revision: z.number().int(),
  /** The latest revision that Slack shows. */
  shownRevision: z.number().int(),
  alertId: formerFieldSchema,
  lateByMs: formerFieldSchema,
})
export type AlertMessageRecord = z.infer<typeof alertMessageSchema>

export const toAlertMessageId = (openedAt: EpochMs, alertId: string): string =>
  `${new Date(openedAt).toISOString()}-${alertId}`

/** Not for messages with `isNotPosted`, whose ids have a suffix and whose buttons don't need the alert. */
export const getAlertId = (messageId: string): string => messageId.slice(ISO_TIME_LENGTH + 1)

/** True if the alert has something to do at the next poll. */
export const isPending = ({ state }: AlertRecord): boolean =>
  state.waiting.calls.length > 0 || state.skipped !== undefined || (state.reminders ?? []).length > 0

const polledListSchema = z.strictObject({
  range: z.strictObject({ offset: z.string(), from: z.string(), to: z.string() }),
  /** When the last reading began that was complete or reached a limit; 0 before. */
  readAt: epochMsSchema,
  /** Undefined after an incomplete reading. */
  total: z.number().optional(),
  /** Shortened by `toShortId`. */
  ids: z.array(z.string()),
})
export type PolledList = z.infer<typeof polledListSchema>

export const pollRecordSchema = z.strictObject({
  workspace: workspaceSchema,
  /** Hash of tenant and key; undefined before the first poll. */
  account: z.string().optional(),
  /** Calls that were missed before are never posted. */
  since: epochMsSchema,
  failing: failingSchema.optional(),
  list: polledListSchema.optional(),
})
export type PollRecord = z.infer<typeof pollRecordSchema>

/** Each tenant has one poll record. */
export const POLL_ID = 'account'
