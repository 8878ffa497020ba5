import { z } from 'zod'
import type { Log } from '../../log.ts'
import { createCache } from '../../util/cache.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Place } from './database.ts'

/** Instants up to the year 9999; later ones can't be formatted in every zone. */
export const epochMs: z.ZodType<EpochMs> = z.number().min(-253_402_300_799_999).max(253_402_300_799_999)

/** `HH:MM`. */
export const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** Parses stored rows. A malformed row is logged by its key and counted, at most once an hour. */
export class RowParser {
  readonly #log
  readonly #onMalformed
  readonly #named = createCache<true>({ max: 1000, ttlMs: 60 * 60_000 })

  /** @param onMalformed receives the value if it is JSON */
  constructor(log: Pick<Log, 'warn'>, onMalformed: (namespace: string, value: unknown) => void) {
    this.#log = log
    this.#onMalformed = onMalformed
  }

  parse<T>(schema: z.ZodType<T>, place: Place, value: unknown): T | undefined {
    const { data, error } = schema.safeParse(value)
    // Field names only, because a value may be a secret.
    if (error) this.#warn(place, error.issues.map(({ path }) => path.join('.')).join(', '), value)
    return data
  }

  parseJson<T>(schema: z.ZodType<T>, place: Place, text: string): T | undefined {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      this.#warn(place, 'not JSON')
      return undefined
    }
    return this.parse(schema, place, value)
  }

  #warn({ namespace, key }: Place, wrong: string, value?: unknown): void {
    const name = `${namespace} ${key}`
    if (this.#named.get(name)) return
    this.#named.set(name, true)
    this.#onMalformed(namespace, value)
    this.#log.warn({ namespace, row: key, wrong }, 'a stored record is malformed')
  }
}
