import type { z } from 'zod'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import type { Database, Row } from './database.ts'
import type { MalformedRows } from './malformed-rows.ts'
import { parseRow } from './schema.ts'
import { scopedKey, type TenantKey } from './tenant.ts'

/** What rows are made of: the database, and who is told of rows that are no records. */
export interface RowServices {
  readonly database: Database
  readonly malformed: MalformedRows
}

/**
 * Records that are listed in the order of their ids, inserted once, or changed only as they were read: several for each
 * tenant. One that is malformed is logged, and counts as absent. Every method @throws {StoreError}.
 */
export class TenantRows<T> {
  readonly namespace
  readonly #database
  readonly #malformed
  readonly #schema

  constructor({ database, malformed }: RowServices, namespace: string, schema: z.ZodType<T>) {
    this.namespace = namespace
    this.#database = database
    this.#malformed = malformed
    this.#schema = schema
  }

  async get(tenant: TenantKey, id: string): Promise<T | undefined> {
    return (await this.#read(scopedKey(tenant, id)))?.record
  }

  /** Those that are there, by tenant and id in no order, in one statement. */
  async getAll(keys: readonly (readonly [tenant: TenantKey, id: string])[]): Promise<readonly T[]> {
    const rows = await this.#database.get(
      this.namespace,
      keys.map(([tenant, id]) => scopedKey(tenant, id)),
    )
    return rows.flatMap((row) => this.#parse(row))
  }

  /** The tenant's, in the order of their ids. */
  all(tenant: TenantKey): Promise<readonly T[]> {
    return Array.fromAsync(this.scan(`${tenant}/`))
  }

  /** Those of every tenant, or those whose keys begin with `prefix`. */
  async *scan(prefix = ''): AsyncGenerator<T, void> {
    for await (const row of this.#database.scan(this.namespace, prefix)) yield* this.#parse(row)
  }

  /** The tenant's with ids from `from` on, in the order of their ids. */
  async *from(tenant: TenantKey, from: string): AsyncGenerator<T, void> {
    for await (const row of this.#database.after(this.namespace, scopedKey(tenant, from))) {
      if (!row.key.startsWith(`${tenant}/`)) return
      yield* this.#parse(row)
    }
  }

  set(tenant: TenantKey, id: string, record: T, keptForMs?: Milliseconds): Promise<void> {
    return this.setAll([{ tenant, id, record }], keptForMs)
  }

  /** In one statement. */
  setAll(
    rows: readonly { readonly tenant: TenantKey; readonly id: string; readonly record: T }[],
    keptForMs?: Milliseconds,
  ): Promise<void> {
    return this.#database.set(
      this.namespace,
      rows.map(({ tenant, id, record }) => this.#toRow(tenant, id, record, keptForMs)),
    )
  }

  /** Leaves one that is there as it is. @returns `true` for exactly one of any number of callers, in any process */
  insert(tenant: TenantKey, id: string, record: T, keptForMs?: Milliseconds): Promise<boolean> {
    return this.#database.insert(this.namespace, this.#toRow(tenant, id, record, keptForMs))
  }

  /**
   * Changes what is there, and nothing that another process changed in between: `change` is called again then. What it reads
   * itself is as new as the record that it is given.
   * @param change comes to `undefined` to leave it as it is
   * @returns what is there now, or `undefined` where it was left or there is none
   */
  async change(
    tenant: TenantKey,
    id: string,
    change: (record: T) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined> {
    const key = scopedKey(tenant, id)
    for (;;) {
      const before = await this.#read(key)
      const changed = before && (await change(before.record))
      if (changed === undefined) return undefined
      const { value } = before ?? { value: '' }
      if (await this.#database.replace(this.namespace, key, value, JSON.stringify(changed))) return changed
    }
  }

  /** @returns whether it was there */
  async delete(tenant: TenantKey, id: string): Promise<boolean> {
    return (await this.#database.delete(this.namespace, [scopedKey(tenant, id)])).length > 0
  }

  #toRow(tenant: TenantKey, id: string, record: T, keptForMs: Milliseconds | undefined): Row {
    const expires: EpochMs | undefined =
      keptForMs === undefined ? undefined : this.#database.now() + keptForMs
    return { key: scopedKey(tenant, id), value: JSON.stringify(record), expires }
  }

  #parse({ key, value }: Row): readonly T[] {
    const what = `a row of "${this.namespace}"`
    return this.#malformed.read(this.namespace, key, () => parseRow(this.#schema, value, what))
  }

  async #read(key: string): Promise<{ readonly record: T; readonly value: string } | undefined> {
    const [row] = await this.#database.get(this.namespace, [key])
    return row && this.#parse(row).map((record) => ({ record, value: row.value }))[0]
  }
}
