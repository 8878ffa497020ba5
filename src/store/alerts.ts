import { z } from 'zod'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { epochMs, wallTime } from './engine/schema.ts'
import { tenantRecord } from './tenant.ts'

/** When an alert may post, in the channel's time zone. What is missed outside is posted in one message when the hours begin. */
const alertHours = z.object({
  /** 1 is Monday, 7 is Sunday: the day on which the hours begin. */
  weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7),
  /** `HH:MM`. */
  from: wallTime,
  /** `HH:MM`; not after `from`: on the next day. */
  to: wallTime,
})
export type AlertHours = z.infer<typeof alertHours>

/** What people plan and change: `/calls alert`. */
export const alertRecord = z.object({
  id: z.string(),
  tenant: tenantRecord,
  /** Or a person's id: what is posted goes to them by direct message. */
  channel: z.string(),
  /** That person hasn't agreed yet: nothing is sent until then. */
  isAwaiting: z.literal(true).optional(),
  /** The person who made it, changed it, resumed it or took it over last: what it may see is what this person may see. */
  owner: z.string(),
  /** Nothing that was missed before is posted: when it was made, resumed, or the account changed. */
  since: epochMs,
  /** The company's own numbers, as the service writes them; none: every line. */
  lines: z.array(z.string()),
  agents: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Only when so many are missed within so many minutes; without it, each one. */
  threshold: z
    .object({ calls: z.number().int().min(2).max(100), minutes: z.number().int().min(1).max(60) })
    .optional(),
  hours: alertHours.optional(),
  /** By a person. */
  isPaused: z.boolean().default(false),
  pausedBy: z.string().optional(),
  /** What is missed until then is not posted. */
  mutedUntil: epochMs.optional(),
  mutedBy: z.string().optional(),
})
export type AlertRecord = z.infer<typeof alertRecord>

export const isMuted = ({ mutedUntil }: Pick<AlertRecord, 'mutedUntil'>, now: EpochMs): boolean =>
  mutedUntil !== undefined && mutedUntil > now

const act = z.object({ person: z.string(), name: z.string(), at: epochMs })

const missedCall = z.object({
  id: z.string(),
  /** When it was, by the service's clock. */
  at: epochMs,
  /** The company's own number that was called. */
  line: z.string(),
})
export type MissedCall = z.infer<typeof missedCall>

/** Missed calls, of which as many are kept as anybody needs to know one by one. */
const callList = z.object({
  count: z.number().int().min(1),
  firstAt: epochMs,
  /** The latest of them, the newest first. */
  calls: z.array(missedCall),
})
export type CallList = z.infer<typeof callList>

/** Of longer lists, the earlier calls are counted alone. */
export const MOST_KEPT_CALLS = 200

/** A message of an alert, with everything that it says. */
export const alertMessageRecord = callList.extend({
  /** Begins with `openedAt`, so that rows are in the order of time: `alertMessageId`. */
  id: z.string(),
  tenant: tenantRecord,
  alertId: z.string(),
  channel: z.string(),
  /** The name of whoever set the alert up, changed it or took it over last. */
  owner: z.string().optional(),
  openedAt: epochMs,
  /** How long after the call the latest of them came, where that is long. */
  lateByMs: z.number().optional(),
  /** How many are not shown, since they were too old by then. */
  tooOld: z.number().int().optional(),
  /** Where the alert is for one alone. */
  line: z.string().optional(),
  agent: z.object({ id: z.string(), name: z.string() }).optional(),
  /** In the channel. None until Slack has said that it took the message. */
  ts: z.string().optional(),
  /** The conversation with a person, which Slack knows by an id of its own. */
  conversation: z.string().optional(),
  /** Who looks after it, first one wins. */
  taken: act.optional(),
  /** Who closed it. */
  done: act.optional(),
})
export type AlertMessageRecord = z.infer<typeof alertMessageRecord>

/** A report may go back so far, and counts how many of them were taken. */
export const ALERT_MESSAGES_KEPT_MS: Milliseconds = 100 * 24 * 60 * 60_000

export const alertMessageId = (openedAt: number, alertId: string): string =>
  `${new Date(openedAt).toISOString()}-${alertId}`

/** What stands in the way, since when, and why, in words for people (mrkdwn). */
const trouble = z.object({
  since: epochMs,
  why: z.string(),
  isTold: z.boolean().optional(),
})
export type AlertTrouble = z.infer<typeof trouble>

/** How far an alert has come with the calls that are for it. */
const alertState = z.object({
  /** The `since` of the alert that all of this is of: of another one it counts no more. */
  since: epochMs.optional(),
  postedAt: epochMs.optional(),
  /** Why it can't be posted at present. */
  trouble: trouble.optional(),
  /** Why calls of its agents can't be read at present, though other lists of the account can. */
  unread: trouble.optional(),
  /** How often in a row Slack did not take it, or did not say so, and since when. */
  failing: z.object({ since: epochMs, count: z.number().int() }).optional(),
  retryAt: epochMs.optional(),
  /** Too few for the threshold so far, the newest first. */
  below: z.array(missedCall).optional(),
  /** What no message shows that Slack has confirmed. */
  pending: callList.optional(),
  message: z
    .object({
      id: z.string(),
      /** When Slack confirmed it: calls are added to it for a while. None: it may be in the channel or not. */
      postedAt: epochMs.optional(),
    })
    .optional(),
  /** Whoever sends what is pending has it to itself until then: after that it counts as ended, and another one may send it. */
  sendingUntil: epochMs.optional(),
})
export type AlertState = z.infer<typeof alertState>

/** What is known of a list of the service's: of all missed calls, or of one agent's. */
const seenList = z.object({
  /** Which calls were asked for when it was last read to its end. */
  range: z.string(),
  /** How many there were; none: the service doesn't say. */
  total: z.number().optional(),
  /** By the day, in UTC, on which they were met first: the calls' ids, as `markSeen` writes them. */
  seen: z.record(z.string(), z.string()),
  /** There were more than are kept: nothing that was missed before is posted. */
  since: epochMs.optional(),
})
export type SeenList = z.infer<typeof seenList>

/**
 * What Callboard itself keeps of an account that has alerts: one row for the account, so that a call enters its ledger and the
 * lists of what is pending in one step. It is changed only as it was read.
 */
export const watchRecord = z.object({
  tenant: tenantRecord,
  /** Stands for the account, without its key, and when it was connected. */
  account: z.object({ id: z.string(), connectedAt: epochMs }).optional(),
  /** Nothing that was missed before is posted. */
  since: epochMs,
  /** When the service was last asked and answered, as far as the shard's row doesn't say. */
  polledAt: epochMs.optional(),
  failing: z.object({ since: epochMs, count: z.number().int() }).optional(),
  /** Why there is no news at present. */
  trouble: trouble.optional(),
  /** Its shard's jobs leave it out until then, since the service was slow, failed or asked to wait. */
  notBefore: epochMs.optional(),
  /** By `listName`. */
  lists: z.record(z.string(), seenList),
  alerts: z.record(z.string(), alertState),
})
export type WatchRecord = z.infer<typeof watchRecord>

/** A tenant has one. */
export const WATCH_ID = 'account'
