import { z } from 'zod'
import type { EpochMs } from '../util/units.ts'

/** Instants after the year 9999 can't be formatted in every zone. */
export const epochMsSchema: z.ZodType<EpochMs> = z.number().min(-253_402_300_799_999).max(253_402_300_799_999)

export const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
