import Keyv from 'keyv'
import type { z } from 'zod'
import type { Backend } from './backend.ts'
import { StoreError } from './errors.ts'
import { SqlStore } from './sql-store.ts'
import { scopedKey, type TenantKey } from './tenant.ts'
import type { Vault } from './vault.ts'

/** Records of one type, one for each tenant, or for each thing of a tenant that `parts` names. */
export interface Records<T> {
  /** @throws {StoreError} where it can't be read: never to be taken for "nothing is there" */
  get(tenant: TenantKey, ...parts: readonly string[]): Promise<T | undefined>
  set(record: T, tenant: TenantKey, ...parts: readonly string[]): Promise<void>
  delete(tenant: TenantKey, ...parts: readonly string[]): Promise<void>
}

export interface Namespace<T> extends Records<T> {
  readonly name: string
  readonly keyv: Keyv<unknown>
}

export interface NamespaceOptions<T> {
  readonly backend: Backend
  readonly name: string
  readonly schema: z.ZodType<T>
  readonly now: () => number
  /** Given: every value is encrypted. */
  readonly vault?: Vault
}

export function openNamespace<T>({ backend, name, schema, now, vault }: NamespaceOptions<T>): Namespace<T> {
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

  return {
    name,
    keyv,
    async get(tenant, ...parts) {
      const found = await keyv.get(scopedKey(tenant, ...parts))
      if (found === undefined) return undefined
      const parsed = schema.safeParse(found)
      if (parsed.success) return parsed.data
      const where = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')
      throw new StoreError(`a record of "${name}" is malformed: ${where}`)
    },
    async set(record, tenant, ...parts) {
      await keyv.set(scopedKey(tenant, ...parts), record)
    },
    async delete(tenant, ...parts) {
      await keyv.delete(scopedKey(tenant, ...parts))
    },
  }
}
