import type { EpochMs } from '../util/units.ts'
import type { TenantKey } from './tenant.ts'

export interface Row {
  readonly key: string
  readonly value: string
  /** `undefined`: kept for good. */
  readonly expires?: EpochMs | undefined
}

/** A row that has to be there, with this value where one is given, for a write to be made. */
export interface Guard {
  readonly namespace: string
  readonly key: string
  readonly value?: string | undefined
}

/**
 * What the store needs of a database. Every statement sees rows that have expired, by the clock `now`, as absent. Every
 * method @throws {StoreError} with what the driver threw as its cause.
 */
export interface Backend {
  readonly now: () => EpochMs
  get(namespace: string, keys: readonly string[]): Promise<readonly Row[]>
  /** As a process finds it that has only just opened the database: nothing that this one remembers of it counts. */
  getAnew(namespace: string, key: string): Promise<Row | undefined>
  set(namespace: string, row: Row): Promise<void>
  delete(namespace: string, keys: readonly string[]): Promise<readonly string[]>
  /** Deletes what begins with `prefix`; everything, without one. */
  clear(namespace: string, prefix?: string): Promise<void>
  /** At most `limit` rows with keys above `after`, in order. */
  list(namespace: string, after: string, limit: number): Promise<readonly Row[]>
  /** Inserts where there is none: `true` for exactly one of any number of callers. */
  insert(namespace: string, row: Row): Promise<boolean>
  /** Sets where `before` still is what is there: `true` if it was. */
  replace(namespace: string, key: string, before: string, value: string): Promise<boolean>
  /** Sets where `number` is above what is there. */
  raise(namespace: string, key: string, number: number, expires: EpochMs): Promise<boolean>
  /** Sets while the guard's row is there: `true` if it was. In one step with whatever deletes that row. */
  setWhile(guard: Guard, namespace: string, row: Row): Promise<boolean>
  /** Sets what is there already: `true` if it was. */
  update(namespace: string, row: Row): Promise<boolean>
  /** Deletes everything of a tenant but its installation. */
  clearTenant(tenant: TenantKey): Promise<void>
  sweep(): Promise<void>
  /**
   * Changes with every change that another connection, in any process, has committed, 10 ms later at most; `undefined` where
   * that can't be told at once, or without asking the database over a network.
   */
  version(): number | undefined
  close(): Promise<void>
}

const pageSize = 500

/** Every row of a namespace whose key comes after `from`, in the order of the keys. */
export async function* rowsAfter(
  backend: Backend,
  namespace: string,
  from: string,
): AsyncGenerator<Row, void> {
  for (let after = from; ; ) {
    const rows = await backend.list(namespace, after, pageSize)
    yield* rows
    after = rows.at(-1)?.key ?? after
    if (rows.length < pageSize) return
  }
}

/** Every row of a namespace whose key begins with `prefix`, in the order of the keys. */
export async function* scan(backend: Backend, namespace: string, prefix = ''): AsyncGenerator<Row, void> {
  for await (const row of rowsAfter(backend, namespace, prefix)) {
    if (!row.key.startsWith(prefix)) return
    yield row
  }
}
