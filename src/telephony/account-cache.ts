import { BoundedMap } from '../util/bounded-map.ts'
import type { Account } from './types.ts'

/** Where it is said that nothing of a workspace may be kept any more. */
export interface TenantDeletions {
  on(event: 'tenant-deleted', listener: (tenant: string) => void): unknown
}

/**
 * What was read of accounts of late, by the key that it was read with and by what was asked for. Nothing of a workspace is
 * left once it is deleted, nor what was being read of it then.
 */
export class AccountCache<V> {
  readonly #kept: BoundedMap<V>
  #deletions = 0

  constructor(store: TenantDeletions, options: ConstructorParameters<typeof BoundedMap<V>>[0]) {
    this.#kept = new BoundedMap(options)
    store.on('tenant-deleted', (tenant) => {
      this.#deletions += 1
      this.#kept.deleteUnder(`${tenant} `)
    })
  }

  get(account: Account, asked: unknown): V | undefined {
    return this.#kept.get(keyOf(account, asked))
  }

  /** @returns what the reading comes to */
  async keep(account: Account, asked: unknown, reading: Promise<V>): Promise<V> {
    const deletions = this.#deletions
    const value = await reading
    if (deletions === this.#deletions) this.#kept.set(keyOf(account, asked), value)
    return value
  }
}

const keyOf = ({ tenant, credentials }: Account, asked: unknown) =>
  `${tenant} ${credentials.key} ${JSON.stringify(asked)}`
