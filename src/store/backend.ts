export interface Row {
  readonly key: string
  readonly value: string
  /** Epoch ms; `undefined`: kept for good. */
  readonly expires: number | undefined
}

/**
 * What `SqlStore` needs of a database. Every statement sees rows that have expired as absent. `now` is epoch ms.
 * @throws whatever the driver throws; `SqlStore` wraps it
 */
export interface Backend {
  get(namespace: string, keys: readonly string[], now: number): Promise<readonly Row[]>
  set(namespace: string, row: Row): Promise<void>
  delete(namespace: string, keys: readonly string[]): Promise<readonly string[]>
  /** Deletes what begins with `prefix`; everything, without one. */
  clear(namespace: string, prefix?: string): Promise<void>
  /** At most `limit` rows with keys above `after`, in order. */
  list(namespace: string, after: string, limit: number, now: number): Promise<readonly Row[]>
  /** Inserts where there is none: `true` for exactly one of any number of callers. */
  insert(namespace: string, row: Row, now: number): Promise<boolean>
  /** Sets where `before` still is what is there: `true` if it was. */
  replace(namespace: string, key: string, before: string, value: string, now: number): Promise<boolean>
  /** Sets where `number` is above what is there. */
  raise(namespace: string, key: string, number: number, expires: number, now: number): Promise<boolean>
  sweep(now: number): Promise<void>
  /**
   * Changes with every change that another connection, in any process, has committed; `undefined` where that can't be told
   * without asking the database over a network.
   */
  version(): number | undefined
  ping(): Promise<void>
  close(): Promise<void>
}
