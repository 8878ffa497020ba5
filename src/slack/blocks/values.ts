import type { z } from 'zod'
import { ForgedValueError } from './errors.ts'

/**
 * The JSON that this app put into a button, a block's id or a view.
 * @param what for the log, without the value
 * @throws {ForgedValueError} for anything that it did not put there
 */
export function readValue<T>(schema: z.ZodType<T>, value: string | undefined, what: string): T {
  try {
    return schema.parse(JSON.parse(value ?? ''))
  } catch (cause) {
    throw new ForgedValueError(what, { cause })
  }
}
