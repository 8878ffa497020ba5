import { z } from 'zod'
import type { EpochMs } from '../util/units.ts'

/** Up to 9999-12-31T23:59:59.999Z, because later instants can't be formatted in every zone, and as far before 1970. */
export const epochMsSchema: z.ZodType<EpochMs> = z.number().min(-253_402_300_799_999).max(253_402_300_799_999)

/** Length of the time with which keys and ids start, so that they sort by it. */
export const ISO_TIME_LENGTH = new Date(0).toISOString().length

export const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
