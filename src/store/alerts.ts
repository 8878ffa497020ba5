import { z } from 'zod'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import type { Rows } from './engine/rows.ts'
import { tenantKey, tenantSchema } from './tenant.ts'
import { epochMs, timeOfDaySchema } from './workspaces.ts'

/** Uses the channel's time zone. Calls that are missed outside are posted once the hours begin. */
const alertHoursSchema = z.strictObject({
  /** 1 is Monday, 7 is Sunday: the day on which the hours begin. */
  weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7),
  from: timeOfDaySchema,
  /** On the next day unless it is after `from`. */
  to: timeOfDaySchema,
})
export type AlertHours = z.infer<typeof alertHoursSchema>

/** Without `until`, someone has to turn it on. */
export const mutedSchema = z.strictObject({ by: z.string(), until: epochMs.optional() })
export type Muted = z.infer<typeof mutedSchema>

const PERSON_ID = /^[UW]/

/** A record that can't be read posts nothing. */
export const alertSchema = z
  .strictObject({
    id: z.string(),
    tenant: tenantSchema,
    /** A channel, or the owner's own id for direct messages. */
    channel: z.string(),
    /** The alert posts with this person's permissions. */
    owner: z.string(),
    /** Calls that were missed before are never posted. */
    since: epochMs,
    /** The company's own numbers as the service writes them; empty for every line. */
    lines: z.array(z.string()),
    threshold: z
      .strictObject({ calls: z.number().int().min(2).max(100), minutes: z.number().int().min(1).max(60) })
      .optional(),
    hours: alertHoursSchema.optional(),
    /** Calls that are missed meanwhile are never posted. */
    muted: mutedSchema.optional(),
  })
  .refine(({ channel, owner }) => !PERSON_ID.test(channel) || channel === owner, {
    error: 'direct messages go to the owner alone',
  })
export type AlertRecord = z.infer<typeof alertSchema>

export const isMuted = ({ muted }: Pick<AlertRecord, 'muted'>, now: EpochMs): boolean =>
  muted !== undefined && (muted.until === undefined || muted.until > now)

const missedCallSchema = z.strictObject({
  id: z.string(),
  /** Time of the call by the service's clock. */
  at: epochMs,
  /** The company's own number that was called. */
  line: z.string(),
})
export type MissedCall = z.infer<typeof missedCallSchema>

const attributionSchema = z.strictObject({ person: z.string(), name: z.string(), at: epochMs })
export type Attribution = z.infer<typeof attributionSchema>

export const alertMessageSchema = z.strictObject({
  /** Starts with `openedAt`, so that rows sort by time. */
  id: z.string(),
  tenant: tenantSchema,
  alertId: z.string(),
  channel: z.string(),
  ownerName: z.string().optional(),
  openedAt: epochMs,
  /** All calls, including those that are only counted. */
  count: z.number().int().min(1),
  firstAt: epochMs,
  /** The latest calls, newest first. */
  calls: z.array(missedCallSchema),
  /** How long after a call its message came, if that was long. */
  lateByMs: z.number().optional(),
  /** The alert's only line. */
  line: z.string().optional(),
  /** Undefined until Slack has confirmed the message. */
  ts: z.string().optional(),
  /** Conversation that Slack posted to: direct messages have an id of their own. */
  conversation: z.string().optional(),
  taken: attributionSchema.optional(),
  /** Set while an alert that was taken and released waits for someone else. */
  released: attributionSchema.optional(),
  done: attributionSchema.optional(),
})
export type AlertMessageRecord = z.infer<typeof alertMessageSchema>

export const isOpenAlert = ({ ts, taken, done }: AlertMessageRecord): boolean =>
  ts !== undefined && !taken && !done

/** Reports count the taken alerts of as many days. */
export const ALERT_MESSAGES_KEPT_MS: Milliseconds = 100 * 24 * 60 * 60_000

export const alertMessageId = (openedAt: number, alertId: string): string =>
  `${new Date(openedAt).toISOString()}-${alertId}`

/** Why an account can't be polled, or an alert can't post. */
const failingSchema = z.strictObject({
  since: epochMs,
  /** Failures in a row. */
  count: z.number().int().min(1),
  /** mrkdwn. */
  why: z.string(),
  /** A person has to fix it. */
  isPermanent: z.boolean(),
  retryAt: epochMs,
  isTold: z.boolean().optional(),
})
export type Failing = z.infer<typeof failingSchema>

const alertStateSchema = z.strictObject({
  /** Calls that are in no confirmed message, newest first. */
  waiting: z.array(missedCallSchema),
  failing: failingSchema.optional(),
  /** The latest message, which may not be confirmed yet. */
  messageId: z.string().optional(),
  /** Until when the sender of a message has it to itself; in the past if the message may have arrived. */
  sendingUntil: epochMs.optional(),
  /** When Slack last confirmed a message. */
  postedAt: epochMs.optional(),
})
export type AlertState = z.infer<typeof alertStateSchema>

const polledListSchema = z.strictObject({
  range: z.strictObject({ offset: z.string(), from: z.string(), to: z.string() }),
  /** When it was stored. */
  readAt: epochMs,
  /** Undefined after an incomplete reading. */
  total: z.number().optional(),
  /** Shortened by `toShortId`. */
  ids: z.array(z.string()),
})
export type PolledList = z.infer<typeof polledListSchema>

/** Keeps everything in one row, so that a call enters `ids` and the alerts' `waiting` in one write. */
export const watchSchema = z.strictObject({
  tenant: tenantSchema,
  /** Hash of tenant and key. */
  account: z.string().optional(),
  /** Calls that were missed before are never posted. */
  since: epochMs,
  /** The queue for slow accounts polls it instead of its shard. */
  isSlow: z.literal(true).optional(),
  failing: failingSchema.optional(),
  list: polledListSchema.optional(),
  alerts: z.record(z.string(), alertStateSchema),
})
export type WatchRecord = z.infer<typeof watchSchema>

/** A tenant has one. */
export const WATCH_ID = 'account'

/** @param change returns undefined to keep the state */
export async function changeState(
  watches: Rows<WatchRecord>,
  { tenant, id }: Pick<AlertRecord, 'tenant' | 'id'>,
  change: (state: AlertState) => AlertState | undefined | Promise<AlertState | undefined>,
): Promise<AlertState | undefined> {
  const changed = await watches.change(tenantKey(tenant), WATCH_ID, async (watch) => {
    const state = await change(watch.alerts[id] ?? { waiting: [] })
    return state && { ...watch, alerts: { ...watch.alerts, [id]: state } }
  })
  return changed?.alerts[id]
}
