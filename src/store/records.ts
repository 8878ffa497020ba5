import Keyv from 'keyv'
import type { z } from 'zod'
import type { Backend } from './backend.ts'
import { orStoreError, StoreError } from './errors.ts'
import { KnownRecords } from './known-records.ts'
import { rowsUnder } from './rows.ts'
import { SqlStore } from './sql-store.ts'
import { scopedKey, type TenantKey, unpart } from './tenant.ts'
import type { Vault } from './vault.ts'

/** Records of one type, one for each tenant, or for each thing of a tenant that `parts` names. */
export interface Records<T> {
  /** @throws {StoreError} where it can't be read: never to be taken for "nothing is there" */
  get(tenant: TenantKey, ...parts: readonly string[]): Promise<Readonly<T> | undefined>
  set(record: T, tenant: TenantKey, ...parts: readonly string[]): Promise<void>
  delete(tenant: TenantKey, ...parts: readonly string[]): Promise<void>
  /** The names of the tenant's things that there are records of. */
  names(tenant: TenantKey): Promise<readonly string[]>
}

export interface Namespace<T> extends Records<T> {
  /** Deletes the tenant's record and those of everything that belongs to it. */
  deleteAll(tenant: TenantKey): Promise<void>
  readonly name: string
  readonly keyv: Keyv<unknown>
}

export interface NamespaceOptions<T> {
  readonly backend: Backend
  /** Changes with what other processes commit; `undefined` where that can't be told. */
  readonly version: () => number | undefined
  readonly name: string
  readonly schema: z.ZodType<T>
  readonly now: () => number
  /** Given: every value is encrypted. */
  readonly vault?: Vault
}

export function openNamespace<T>({
  backend,
  version,
  name,
  schema,
  now,
  vault,
}: NamespaceOptions<T>): Namespace<T> {
  const keyv = new Keyv<unknown>({
    store: new SqlStore(backend, name, now),
    // The database leaves out what has expired.
    checkExpired: false,
    ...(vault ? { encryption: vault } : {}),
  })
  // keyv turns a failed read into "not there", and only tells its listeners: this one throws out of the call that failed.
  keyv.on('error', (error) => {
    throw error instanceof StoreError ? error : new StoreError(`keyv failed in "${name}"`, { cause: error })
  })

  const known = new KnownRecords<T>({ version, now })

  async function read(key: string): Promise<T | undefined> {
    const found = await keyv.get(key)
    if (found === undefined) return undefined
    const parsed = schema.safeParse(found)
    if (parsed.success) return parsed.data
    const where = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')
    throw new StoreError(`a record of "${name}" is malformed: ${where}`)
  }

  return {
    name,
    keyv,
    get(tenant, ...parts) {
      const key = scopedKey(tenant, ...parts)
      return known.get(key, () => read(key))
    },
    set: (record, tenant, ...parts) => known.changing(() => keyv.set(scopedKey(tenant, ...parts), record)),
    async names(tenant) {
      const prefix = `${tenant}/`
      const rows = await orStoreError(
        `list "${name}"`,
        Array.fromAsync(rowsUnder(backend, name, prefix, now())),
      )
      return rows.map(({ key }) => unpart(key.slice(prefix.length)))
    },
    deleteAll: (tenant) =>
      known.changing(() =>
        orStoreError(
          `forget a tenant in "${name}"`,
          Promise.all([backend.delete(name, [tenant]), backend.clear(name, `${tenant}/`)]),
        ),
      ),
    delete: (tenant, ...parts) => known.changing(() => keyv.delete(scopedKey(tenant, ...parts))),
  }
}
