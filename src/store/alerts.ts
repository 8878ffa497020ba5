import { z } from 'zod'
import { epochMs } from './schema.ts'
import { tenantRecord } from './tenant.ts'

const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

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

/** One missed call, as a message of an alert tells it. */
export const missedCall = z.object({
  id: z.string(),
  /** When it was, as the service tells it. */
  at: epochMs,
  /** The company's own number that was called. */
  line: z.string(),
})
export type MissedCall = z.infer<typeof missedCall>

const act = z.object({ person: z.string(), name: z.string(), at: epochMs })

/** A message of an alert, with everything that it says. */
export const alertMessageRecord = z.object({
  /** Begins with `openedAt`, so that rows are in the order of time: `alertMessageId`. */
  id: z.string(),
  tenant: tenantRecord,
  alertId: z.string(),
  channel: z.string(),
  /** In the channel. None until Slack has said that it took the message. */
  ts: z.string().optional(),
  /** When it was sent. Calls are added to it for ten minutes. */
  openedAt: epochMs,
  /** How many it tells. */
  count: z.number().int().min(1),
  /** When the earliest of them was. */
  firstAt: epochMs,
  /** The latest of them, the newest first. */
  calls: z.array(missedCall),
  /** Why some of them come late, beside the time that it took. */
  late: z.enum(['hours', 'away']).optional(),
  /** Who looks after it, first one wins. */
  taken: act.optional(),
  /** Who closed it. */
  done: act.optional(),
})
export type AlertMessageRecord = z.infer<typeof alertMessageRecord>

/** As many calls stand in a message; of the others, it says how many there are. */
export const MOST_ALERT_ROWS = 20

/** @param openedAt in milliseconds */
export const alertMessageId = (openedAt: number, alertId: string): string =>
  `${new Date(openedAt).toISOString()}-${alertId}`

/** What stands in the way, since when, and why, in words for people (mrkdwn). */
const trouble = z.object({ since: epochMs, why: z.string() })
export type AlertTrouble = z.infer<typeof trouble>

/** What Callboard itself notes of an alert: a row of its own, so that nobody's change waits for it. */
export const alertStateRecord = z.object({
  alertId: z.string(),
  /** When it last sent a message. */
  postedAt: epochMs.optional(),
  /** Why it can't be posted at present. */
  trouble: trouble.optional(),
})
export type AlertStateRecord = z.infer<typeof alertStateRecord>

/** What is noted of an account that is watched. */
export const watchRecord = z.object({
  /** When the service was last asked and answered: to a few minutes. */
  lookedAt: epochMs.optional(),
  /** Why there is no news at present. */
  trouble: trouble.optional(),
})
export type WatchRecord = z.infer<typeof watchRecord>
