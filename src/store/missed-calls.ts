import { z } from 'zod'
import { epochMs } from './schema.ts'

/** One missed call, as a message of an alert tells it. */
export const missedCall = z.object({
  id: z.string(),
  /** When it was, as the service tells it. */
  at: epochMs,
  /** The company's own number that was called. */
  line: z.string(),
})
export type MissedCall = z.infer<typeof missedCall>

/** The calls of an hour; those that were missed outside of the alert's hours are an entry of their own. */
const callHour = z.object({
  hour: epochMs,
  count: z.number().int().min(1),
  firstAt: epochMs,
  isOutside: z.boolean().optional(),
})
export type CallHour = z.infer<typeof callHour>

/** Calls that are told together. What is not listed is counted by hours: what is too old by then can be left out. */
export const callBatch = z.object({
  /** The latest of them, the newest first. */
  calls: z.array(missedCall),
  /** How many there are of each hour, and when the earliest of them was; the earliest hour first. */
  hours: z.array(callHour),
})
export type CallBatch = z.infer<typeof callBatch>
