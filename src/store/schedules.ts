import { z } from 'zod'
import { parseDay } from '../time/days.ts'
import type { LocalDay } from '../time/types.ts'
import type { Rows } from './engine/rows.ts'
import { epochMs, wallTime } from './engine/schema.ts'
import { tenantRecord } from './tenant.ts'

export const scheduleDay = z.discriminatedUnion('kind', [
  /** Each day that the service names as the next billing date. */
  z.object({ kind: z.literal('billing-date') }),
  /** A day that every month has, or its last one. */
  z.object({
    kind: z.literal('monthly'),
    day: z.union([z.number().int().min(1).max(28), z.literal('last')]),
  }),
  /** 1 is Monday, 7 is Sunday. */
  z.object({ kind: z.literal('weekly'), weekday: z.number().int().min(1).max(7) }),
  /** On each of these weekdays, numbered alike. */
  z.object({
    kind: z.literal('daily'),
    weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7),
  }),
])
export type ScheduleDay = z.infer<typeof scheduleDay>

const reportOptions = z.object({
  /** All days since the last one, or what is before the day that it comes on: weeks from Monday to Sunday, whole months. */
  range: z.enum(['since', 'day', 'week', 'month']),
  by: z.enum(['line', 'agent', 'hour']),
  onlyWithCalls: z.boolean(),
})
export type ReportOptions = z.infer<typeof reportOptions>

/** What a channel is shown of a bill only where whoever posts it ticks it. */
export const billExtras = ['card', 'limit'] as const
export const billExtra = z.enum(billExtras)

export const scheduleRecord = z.object({
  id: z.string(),
  tenant: tenantRecord,
  channel: z.string(),
  day: scheduleDay,
  /** `HH:MM` in the channel's zone. */
  time: wallTime,
  /** The person who made it, changed it or resumed it last: posts say that this person scheduled them. */
  owner: z.string(),
  due: epochMs,
  /** `YYYY-MM-DD`: the local day that `due` was planned for, whatever the channel's time zone is by now. */
  dueDay: z.string().refine((text): text is LocalDay => parseDay(text) !== undefined),
  /** The local day of the last post: it is not planned again. None before the first post. */
  postedDay: z.string().optional(),
  /** The local day of the last report that was made, posted or without a call: the next one goes on from there. */
  reportedDay: z.string().optional(),
  /** Why nothing is posted: a person's wish, or what went wrong for good, in words for people. */
  paused: z.object({ why: z.string().optional() }).optional(),
  /** `YYYY-MM-DD`: the next billing date that the service named last. It may name the one after it on the day itself. */
  billingDay: z.string().optional(),
  /** Of a report: a billing post has none. */
  report: reportOptions.optional(),
  /** Of a billing post. */
  include: z.array(billExtra).optional(),
  /** Of its last billing post, its day and the total a month: the service tells of no earlier bill. */
  postedBill: z.object({ day: z.string(), total: z.string() }).optional(),
})
export type Schedule = z.infer<typeof scheduleRecord>

export const scheduleDraft = scheduleRecord.pick({
  channel: true,
  day: true,
  time: true,
  report: true,
  include: true,
})
export type ScheduleDraft = z.infer<typeof scheduleDraft>

export type Schedules = Rows<Schedule>
