import { z } from 'zod'
import { epochMs } from './schema.ts'

/** How one list of the service's looked when it was last read, to tell at a glance that nothing is new in it. */
const listSeen = z.object({
  /** Which calls were asked for. */
  range: z.string(),
  /** How many there were; none: the service doesn't tell, or some are still to be read. */
  total: z.number().optional(),
  /** Stands for the calls on its first page. */
  page: z.string(),
})
export type ListSeen = z.infer<typeof listSeen>

/** The calls that an account's watcher met first on one day, by UTC, as hashes of their ids; one row for a tenant and day. */
export const seenDayRecord = z.object({
  /** By list: of an account, of all its calls or of one agent's. */
  lists: z.record(
    z.string(),
    z.object({
      seen: listSeen.optional(),
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
