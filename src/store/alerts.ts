import { z } from 'zod'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { callBatch, missedCall } from './missed-calls.ts'
import { epochMs, wallTime } from './schema.ts'
import { tenantRecord } from './tenant.ts'

/** When an alert may speak, in the channel's time zone. What happens outside is told in one message when the hours begin. */
export const alertHours = z.object({
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
  channel: z.string(),
  /** The person who made it, changed it, resumed it or took it over last: what it may see is what this person may see. */
  owner: z.string(),
  /** Nothing that was missed before is told: when it was made, resumed, or the account changed. */
  since: epochMs,
  /** The company's own numbers, as the service writes them; none: every line. */
  lines: z.array(z.string()),
  /** None: every agent. */
  agents: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Only when so many are missed within so many minutes; without it, each one. */
  threshold: z
    .object({ calls: z.number().int().min(2).max(100), minutes: z.number().int().min(1).max(60) })
    .optional(),
  /** Without them: always. */
  hours: alertHours.optional(),
  /** By a person. */
  isPaused: z.boolean().default(false),
  pausedBy: z.string().optional(),
  /** What is missed until then is not told. */
  mutedUntil: epochMs.optional(),
  mutedBy: z.string().optional(),
})
export type AlertRecord = z.infer<typeof alertRecord>

export const isMuted = ({ mutedUntil }: Pick<AlertRecord, 'mutedUntil'>, now: EpochMs): boolean =>
  mutedUntil !== undefined && mutedUntil > now

const act = z.object({ person: z.string(), name: z.string(), at: epochMs })

/** What a message of an alert says of calls. */
const told = z.object({
  /** Begins with `openedAt`, so that rows are in the order of time: `alertMessageId`. */
  id: z.string(),
  /** When it was sent. Calls are added to it for ten minutes. */
  openedAt: epochMs,
  /** How many it tells. */
  count: z.number().int().min(1),
  /** When the earliest of them was. */
  firstAt: epochMs,
  /** The latest of them, the newest first. */
  calls: z.array(missedCall),
  /** Why some of them come late, beside the time that it took; `both`: some for the one, some for the other. */
  late: z.enum(['hours', 'away', 'both']).optional(),
  /** How long after the call the latest of them came, where that is long. */
  lateByMs: z.number().optional(),
  /** How many are not told, since they were too old by then. */
  tooOld: z.number().int().optional(),
})

/** A message of an alert, with everything that it says. */
export const alertMessageRecord = told.extend({
  tenant: tenantRecord,
  alertId: z.string(),
  channel: z.string(),
  /** Where the alert is for one alone. */
  line: z.string().optional(),
  agent: z.object({ id: z.string(), name: z.string() }).optional(),
  /** In the channel. None until Slack has said that it took the message. */
  ts: z.string().optional(),
  /** Who looks after it, first one wins. */
  taken: act.optional(),
  /** Who closed it. */
  done: act.optional(),
})
export type AlertMessageRecord = z.infer<typeof alertMessageRecord>

/** A report may go back so far, and tells how many of them were taken. */
export const ALERT_MESSAGES_KEPT_MS: Milliseconds = 100 * 24 * 60 * 60_000

/** As many calls stand in a message; of the others, it says how many there are. */
export const MOST_ALERT_ROWS = 20

/** @param openedAt in milliseconds */
export const alertMessageId = (openedAt: number, alertId: string): string =>
  `${new Date(openedAt).toISOString()}-${alertId}`

/** What stands in the way, since when, and why, in words for people (mrkdwn). */
const trouble = z.object({
  since: epochMs,
  why: z.string(),
  /** Whether whoever has to know was told. */
  isTold: z.boolean().optional(),
})
export type AlertTrouble = z.infer<typeof trouble>

/** The message that calls are added to. */
const openMessage = told.extend({
  /** None until Slack has said that it took the message: whoever made this row is sending it, or was killed. */
  ts: z.string().optional(),
  /** What is in it, and may not be shown yet. */
  unshown: callBatch.optional(),
  /** When it was shown last. */
  shownAt: epochMs.optional(),
})
export type OpenMessage = z.infer<typeof openMessage>

/**
 * What Callboard itself notes of an alert: a row of its own, so that nobody's change waits for it. It is changed only as it
 * was read, so that each call is told by one process alone.
 */
export const alertStateRecord = z.object({
  alertId: z.string(),
  /** When it last sent a message. */
  postedAt: epochMs.optional(),
  /** Why it can't be posted at present. */
  trouble: trouble.optional(),
  /** The `since` of the alert that all of this was noted for: of another one it counts no more. */
  since: epochMs.optional(),
  /** Of the calls that were noted last, and of those before that were not seen since, as the hashes of their ids. */
  noted: z.string().optional(),
  /** Too few for the threshold so far, the newest first. */
  below: z.array(missedCall).optional(),
  /** What is to be told. */
  untold: callBatch.optional(),
  open: openMessage.optional(),
  /** Nothing is sent before. */
  retryAt: epochMs.optional(),
})
export type AlertStateRecord = z.infer<typeof alertStateRecord>

/** How a list of the service's looked when it was last read, to tell at a glance that nothing is new in it. */
const listSeen = z.object({
  /** Which calls were asked for. */
  range: z.string(),
  /** How many there were; none: the service doesn't tell. */
  total: z.number().optional(),
  /** Stands for the calls on its first page. */
  page: z.string(),
})
export type ListSeen = z.infer<typeof listSeen>

/** What is noted of an account that is watched. */
export const watchRecord = z.object({
  /** When the service was last asked and answered: to a few minutes. */
  lookedAt: epochMs.optional(),
  /** Why there is no news at present. */
  trouble: trouble.optional(),
  /** The job that watches: any other one ends. */
  run: z.string().optional(),
  /** Another one after each change of the tenant's alerts. */
  version: z.string().optional(),
  /** Stands for the account, without telling its key, and when it was connected. */
  account: z.object({ id: z.string(), connectedAt: epochMs }).optional().catch(undefined),
  /** By `listName`. */
  lists: z.record(z.string(), listSeen).optional(),
  /** When the account was connected in place of another one: nothing that was missed before is told. */
  since: epochMs.optional(),
  /** Looks that failed in a row. */
  failing: z.object({ since: epochMs, count: z.number().int() }).optional(),
  /** When there is something to tell next, without any news. */
  due: epochMs.optional(),
  /** Whether none of the alerts can be posted: there is no hurry. */
  isIdle: z.boolean().optional(),
})
export type WatchRecord = z.infer<typeof watchRecord>
