import type { Records } from '../../store/records.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { TableSupport } from '../../store/workspaces.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { Message } from '../blocks/blocks.ts'

/** What a handler answers with. */
export interface Answer {
  readonly message: Message
  /** Makes the same without a table, for where Slack refuses tables. Given exactly where `message` holds one. */
  readonly withoutTable?: () => Message
  /** Where it goes on a click: in place of the message (unless said otherwise), below it, or to everyone in the channel. */
  readonly place?: 'replace' | 'below' | 'channel'
  /** Work for after the person has the answer, such as fetching the next page ahead. */
  readonly afterwards?: () => void
}

/** An answer in the form that the workspace's Slack takes. */
export interface Prepared {
  readonly tenant: TenantKey
  readonly message: Message
  /** For where Slack refuses the table in `message`. */
  readonly otherwise: (() => Message) | undefined
  /**
   * Whether it may ride in an acknowledgement: a refusal there can't be seen, so a table does only where this workspace
   * took one before.
   */
  readonly mayRide: boolean
  readonly place: NonNullable<Answer['place']>
  readonly afterwards: (() => void) | undefined
}

const plainForMs = 60 * 60_000
/** That a workspace's Slack takes tables is believed for so long without a look at the store. */
const believedForMs = 60_000

/** Whether a workspace's Slack takes `table` blocks, learned from what it answered. */
export interface Tables {
  /** @throws {StoreError} */
  prepare(answer: Answer, tenant: TenantKey): Promise<Prepared>
  accepted(prepared: Prepared): Promise<void>
  /** That workspace gets text for an hour. */
  refused(prepared: Prepared): Promise<void>
}

export function createTables(options: { support: Records<TableSupport>; now: () => number }): Tables {
  const { support, now } = options
  const accepting = new BoundedMap<true>({ max: 10_000, ttlMs: believedForMs, now })

  return {
    async prepare({ message, withoutTable, afterwards, place = 'replace' }, tenant) {
      const plain = { tenant, otherwise: undefined, mayRide: true, place, afterwards }
      if (!withoutTable) return { ...plain, message }
      const riding = { tenant, message, otherwise: withoutTable, mayRide: true, place, afterwards }
      if (accepting.get(tenant)) return riding
      const known = await support.get(tenant)
      if ((known?.refusedUntil ?? 0) > now()) return { ...plain, message: withoutTable() }
      if (!known?.accepted) return { ...riding, mayRide: false }
      accepting.set(tenant, true)
      return riding
    },
    async accepted({ tenant, mayRide, otherwise }) {
      if (otherwise && !mayRide) await support.set({ accepted: true }, tenant)
    },
    async refused({ tenant }) {
      accepting.delete(tenant)
      await support.set({ accepted: false, refusedUntil: now() + plainForMs }, tenant)
    },
  }
}
