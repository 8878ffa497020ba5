import type { Row } from './backend.ts'

interface Read {
  readonly namespace: string
  readonly keys: readonly string[]
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * Makes one query of what is asked for in the same turn of the event loop: an interaction reads four rows, and many of them
 * are under way.
 */
export class BatchedReads {
  readonly #query
  #waiting: Read[] = []

  /** @param query the rows of these namespaces and keys, pair by pair, each under `namespace`, a line break and its key */
  constructor(query: (namespaces: readonly string[], keys: readonly string[]) => Promise<readonly Row[]>) {
    this.#query = query
  }

  /** @throws whatever the query throws */
  get(namespace: string, keys: readonly string[]): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ namespace, keys, resolve, reject })
      if (this.#waiting.length === 1) setImmediate(() => void this.#readAll())
    })
  }

  async #readAll(): Promise<void> {
    const reads = this.#waiting
    this.#waiting = []
    try {
      const namespaces = reads.flatMap(({ namespace, keys }) => keys.map(() => namespace))
      const rows = await this.#query(
        namespaces,
        reads.flatMap(({ keys }) => keys),
      )
      const found = new Map(rows.map((row) => [row.key, row]))
      for (const { namespace, keys, resolve } of reads) {
        const rowsOf = (key: string): readonly Row[] => {
          const row = found.get(`${namespace}\n${key}`)
          return row ? [{ ...row, key }] : []
        }
        resolve(keys.flatMap(rowsOf))
      }
    } catch (error) {
      for (const { reject } of reads) reject(error)
    }
  }
}
