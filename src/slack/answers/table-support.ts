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
  readonly #services
  readonly #accepting: BoundedMap<true>

  constructor(services: { records: Records<Support>; log: Pick<Log, 'warn'>; now: () => EpochMs }) {
    this.#services = services
    this.#accepting = new BoundedMap({ max: 10_000, ttlMs: believedForMs, now: services.now })
  }

  /** `untried`: it has not been seen yet, so a refusal has to be seen: not in an acknowledgement. Rejects never. */
  async of(tenant: TenantKey): Promise<'yes' | 'no' | 'untried'> {
    if (this.#accepting.get(tenant)) return 'yes'
    const support = await this.#read(tenant)
    if (support === 'unreadable' || (support?.refusedUntil ?? 0) > this.#services.now()) return 'no'
    if (!support?.accepted) return 'untried'
    this.#accepting.set(tenant, true)
    return 'yes'
  }

  /** @throws {StoreError} */
  accepted(tenant: TenantKey): Promise<void> {
    return this.#services.records.set({ accepted: true }, tenant)
  }

  /** That workspace gets text for an hour. @throws {StoreError} */
  async refused(tenant: TenantKey): Promise<void> {
    this.#accepting.delete(tenant)
    await this.#services.records.set(
      { accepted: false, refusedUntil: this.#services.now() + linesForMs },
      tenant,
    )
  }

  /** Text is right everywhere: an answer that is there already does not fail because this can't be told. */
  async #read(tenant: TenantKey): Promise<Support | undefined | 'unreadable'> {
    try {
      return await this.#services.records.get(tenant)
    } catch (error) {
      this.#services.log.warn({ err: error }, 'whether tables are taken could not be read')
      return 'unreadable'
    }
  }
}
