import type { z } from 'zod'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { type Backend, type Row, rowsAfter, scan } from './backend.ts'
import type { Generation } from './generations.ts'
import type { MalformedRows } from './malformed-rows.ts'
import { parseRow } from './schema.ts'
import { scopedKey, type TenantKey } from './tenant.ts'

/**
 * Records of which a tenant has several, each a row that is changed only as it was read. None is ever made for a tenant
 * that has been deleted. Every method @throws {StoreError}.
 */
export class TenantRows<T> {
  readonly namespace
  readonly #backend
  readonly #malformed
  readonly #parse: (value: string) => T

  /** @param what the record with its article, for the log */
  constructor(
    services: { readonly backend: Backend; readonly malformed: MalformedRows },
    namespace: string,
    schema: z.ZodType<T>,
    what: string,
  ) {
    this.namespace = namespace
    this.#backend = services.backend
    this.#malformed = services.malformed
    this.#parse = (value) => parseRow(schema, value, what)
  }

  async get(tenant: TenantKey, id: string): Promise<T | undefined> {
    const value = await this.#read(scopedKey(tenant, id))
    return value === undefined ? undefined : this.#parse(value)
  }

  /** The tenant's, in the order of their ids. */
  all(tenant: TenantKey): Promise<readonly T[]> {
    return Array.fromAsync(this.scan(`${tenant}/`))
  }

  /** Those of every tenant, or those whose keys begin with `prefix`. */
  async *scan(prefix = ''): AsyncGenerator<T, void> {
    for await (const row of scan(this.#backend, this.namespace, prefix)) yield* this.#readable(row)
  }

  /** The tenant's with ids from `from` on, in the order of their ids. */
  async *from(tenant: TenantKey, from: string): AsyncGenerator<T, void> {
    for await (const row of rowsAfter(this.#backend, this.namespace, scopedKey(tenant, from))) {
      if (!row.key.startsWith(`${tenant}/`)) return
      yield* this.#readable(row)
    }
  }

  /** @returns `false` where the tenant was deleted since the generation was read, and nothing is kept */
  set(generation: Generation, id: string, record: T, keptForMs?: Milliseconds): Promise<boolean> {
    const expires: EpochMs | undefined = keptForMs === undefined ? undefined : this.#backend.now() + keptForMs
    const row = { key: scopedKey(generation.key, id), value: JSON.stringify(record), expires }
    return this.#backend.setWhile(generation, this.namespace, row)
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
      const changed = before === undefined ? undefined : await change(this.#parse(before))
      if (before === undefined || changed === undefined) return undefined
      if (await this.#backend.replace(this.namespace, key, before, JSON.stringify(changed))) return changed
    }
  }

  /** @returns whether it was there */
  async delete(tenant: TenantKey, id: string): Promise<boolean> {
    return (await this.#backend.delete(this.namespace, [scopedKey(tenant, id)])).length > 0
  }

  #readable({ key, value }: Row): readonly T[] {
    return this.#malformed.read(this.namespace, key, () => this.#parse(value))
  }

  async #read(key: string): Promise<string | undefined> {
    return (await this.#backend.get(this.namespace, [key]))[0]?.value
  }
}
