import type { z } from 'zod'

/** A button, menu or view contains a value that this version of the app didn't write. */
export class ForgedValueError extends Error {
  override readonly name = 'ForgedValueError'

  constructor(what: string, options?: ErrorOptions) {
    super(`not recognized: ${what}`, options)
  }
}

/** @param what for the log, without the value @throws {ForgedValueError} */
export function readValue<T>(schema: z.ZodType<T>, value: string | undefined, what: string): T {
  try {
    return schema.parse(JSON.parse(value ?? ''))
  } catch (cause) {
    throw new ForgedValueError(what, { cause })
  }
}
