import type { Log } from '../log.ts'
import { BoundedMap } from '../util/bounded-map.ts'
import { MalformedError } from './errors.ts'

/** Rows that are no record: those that stand behind them are read all the same, and the log names them, once an hour. */
export class MalformedRows {
  readonly #log
  readonly #named = new BoundedMap<true>({ max: 1000, ttlMs: 60 * 60_000 })

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log
  }

  /** @returns what `parse` makes of the row, in a list, or none where it can't */
  read<T>(namespace: string, key: string, parse: () => T): readonly T[] {
    try {
      return [parse()]
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error
      const name = `${namespace} ${key}`
      if (!this.#named.get(name)) {
        this.#named.set(name, true)
        this.#log.warn({ err: error, namespace, row: key }, 'a malformed row is left out')
      }
      return []
    }
  }
}
