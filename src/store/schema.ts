import { z } from 'zod'
import type { EpochMs } from '../util/units.ts'
import { StoreError } from './errors.ts'

export const epochMs: z.ZodType<EpochMs> = z.number()

/**
 * Names the fields that are wrong, never their values: a record may hold a secret.
 * @param what for the log: `a schedule`
 * @throws {StoreError}
 */
export function parseRecord<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues.map(({ path }) => path.join('.')).join(', ')
  throw new StoreError(`${what} is malformed: ${where}`)
}
