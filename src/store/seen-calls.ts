import { z } from 'zod'
import { epochMs } from './schema.ts'

/** The calls that an account's watcher met first on one day, by UTC, as hashes of their ids; one row for a tenant and day. */
export const seenDayRecord = z.object({
  /** By list: of an account, of all its calls or of one agent's. */
  lists: z.record(
    z.string(),
    z.object({
      /** `packIds`. */
      ids: z.string(),
      /** There were more than are kept: nothing that was missed before is told. */
      since: epochMs.optional(),
    }),
  ),
})
export type SeenDay = z.infer<typeof seenDayRecord>

/** A row is of use as long as a look asks for calls of its day: for today's and yesterday's, in any time zone. */
export const SEEN_DAYS = 3
