import type { Log } from '../../log.ts'
import type { Records } from '../../store/records.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { BlockSupport as Support } from '../../store/workspaces.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'

const linesForMs: Milliseconds = 60 * 60_000
/** That a workspace's Slack takes them is believed for so long without a look at the store. */
const believedForMs: Milliseconds = 60_000

/** Whether a workspace's Slack takes one type of blocks, `table` or `data_visualization`, learned from what it answered. */
export class BlockSupport {
  readonly #services
  readonly #accepting: BoundedMap<true>

  constructor(services: { records: Records<Support>; log: Pick<Log, 'warn'>; now: () => EpochMs }) {
    this.#services = services
    this.#accepting = new BoundedMap({ max: 10_000, ttlMs: believedForMs, now: services.now })
  }

  /** `untried`: it has not been seen yet, so a refusal has to be seen: not in an acknowledgement. Rejects never. */
  async of(tenant: TenantKey): Promise<'yes' | 'no' | 'untried'> {
    if (this.#accepting.get(tenant)) return 'yes'
    const { records, log, now } = this.#services
    try {
      const { accepted = false, refusedUntil = 0 } = (await records.get(tenant)) ?? {}
      if (refusedUntil > now()) return 'no'
      if (accepted) this.#accepting.set(tenant, true)
      return accepted ? 'yes' : 'untried'
    } catch (error) {
      // Text is right everywhere: an answer that is there already does not fail because this can't be told.
      log.warn({ err: error }, 'whether such blocks are taken could not be read')
      return 'no'
    }
  }

  /** @throws {StoreError} */
  accepted(tenant: TenantKey): Promise<void> {
    return this.#services.records.set({ accepted: true }, tenant)
  }

  /** That workspace gets none for an hour. @throws {StoreError} */
  async refused(tenant: TenantKey): Promise<void> {
    this.#accepting.delete(tenant)
    const refusedUntil = this.#services.now() + linesForMs
    await this.#services.records.set({ accepted: false, refusedUntil }, tenant)
  }
}
