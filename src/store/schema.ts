import { z } from 'zod'
import type { EpochMs } from '../util/units.ts'
import { MalformedError } from './errors.ts'

export const epochMs: z.ZodType<EpochMs> = z.number()

/** `HH:MM`. */
export const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/**
 * Names the fields that are wrong, never their values: a record may hold a secret.
 * @param what for the log: `a schedule`
 * @throws {MalformedError}
 */
export function parseRecord<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues.map(({ path }) => path.join('.')).join(', ')
  throw new MalformedError(`${what} is malformed: ${where}`)
}

/** The same for what a row holds as JSON. @throws {MalformedError} */
export function parseRow<T>(schema: z.ZodType<T>, text: string, what: string): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new MalformedError(`${what} is malformed: no JSON`)
  }
  return parseRecord(schema, value, what)
}
