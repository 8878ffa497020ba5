import { randomUUID } from 'node:crypto'
import type { Milliseconds } from '../util/units.ts'
import type { Backend, Guard } from './backend.ts'
import { StoreError } from './errors.ts'
import type { TenantKey } from './tenant.ts'

const namespace = 'generations'
const day: Milliseconds = 24 * 60 * 60_000

/** What was written belongs to a tenant that has been deleted since it was begun: nothing of it was kept. */
export class TenantDeletedError extends StoreError {}

/** A tenant from one deletion to the next. */
export interface Generation extends Guard {
  readonly key: TenantKey
  readonly value: string
}

/**
 * What takes a while and then writes (a connection that is tried, say) reads the tenant's generation first, and writes only
 * while that one lasts. A random value rather than a number: a deletion leaves nothing of the tenant, not even a count.
 * Every method @throws {StoreError}.
 */
export class Generations {
  readonly #backend

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Before whether the app is installed is looked at: a deletion begins with the installation. */
  async of(tenant: TenantKey): Promise<Generation> {
    const [row] = await this.#backend.get(namespace, [tenant])
    const now = this.#backend.now()
    if (row?.expires !== undefined && row.expires - now > day)
      return { namespace, key: tenant, value: row.value }
    // None that ends while somebody still goes by it.
    if (row) await this.end(tenant)
    const value = randomUUID()
    // With an end: one that is begun for a tenant which is deleted already would stay for good.
    if (await this.#backend.insert(namespace, { key: tenant, value, expires: now + 8 * day }))
      return { namespace, key: tenant, value }
    return this.of(tenant)
  }

  async end(tenant: TenantKey): Promise<void> {
    await this.#backend.delete(namespace, [tenant])
  }
}
