import type { Log } from '../../log.ts'
import type { Records } from '../../store/records.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { TableSupport as Support } from '../../store/workspaces.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'

const linesForMs: Milliseconds = 60 * 60_000
/** That a workspace's Slack takes tables is believed for so long without a look at the store. */
const believedForMs: Milliseconds = 60_000

/** Whether a workspace's Slack takes `table` blocks, learned from what it answered. */
export class TableSupport {
  readonly #records: Records<Support>
  readonly #log: Pick<Log, 'warn'>
  readonly #now: () => EpochMs
  readonly #accepting: BoundedMap<true>

  constructor(options: { records: Records<Support>; log: Pick<Log, 'warn'>; now: () => EpochMs }) {
    this.#records = options.records
    this.#log = options.log
    this.#now = options.now
    this.#accepting = new BoundedMap({ max: 10_000, ttlMs: believedForMs, now: options.now })
  }

  /** `untried`: it has not been seen yet, so a refusal has to be seen: not in an acknowledgement. Rejects never. */
  async of(tenant: TenantKey): Promise<'yes' | 'no' | 'untried'> {
    if (this.#accepting.get(tenant)) return 'yes'
    const support = await this.#read(tenant)
    if (support === 'unreadable' || (support?.refusedUntil ?? 0) > this.#now()) return 'no'
    if (!support?.accepted) return 'untried'
    this.#accepting.set(tenant, true)
    return 'yes'
  }

  /** @throws {StoreError} */
  accepted(tenant: TenantKey): Promise<void> {
    return this.#records.set({ accepted: true }, tenant)
  }

  /** That workspace gets text for an hour. @throws {StoreError} */
  async refused(tenant: TenantKey): Promise<void> {
    this.#accepting.delete(tenant)
    await this.#records.set({ accepted: false, refusedUntil: this.#now() + linesForMs }, tenant)
  }

  /** Text is right everywhere: an answer that is there already does not fail because this can't be told. */
  async #read(tenant: TenantKey): Promise<Support | undefined | 'unreadable'> {
    try {
      return await this.#records.get(tenant)
    } catch (error) {
      this.#log.warn({ err: error }, 'whether tables are taken could not be read')
      return 'unreadable'
    }
  }
}
