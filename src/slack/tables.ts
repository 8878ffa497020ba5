import type { Records } from '../store/records.ts'
import type { TenantKey } from '../store/tenant.ts'
import type { TableSupport } from '../store/workspaces.ts'
import type { Message } from './blocks.ts'

/** What a handler answers with. */
export interface Answer {
  readonly message: Message
  /** The same without a table, for where Slack refuses tables. Given exactly where `message` holds one. */
  readonly withoutTable?: Message
  /** Work for after the person has the answer, such as fetching the next page ahead. */
  readonly afterwards?: () => void
}

/** An answer in the form that the workspace's Slack takes. */
export interface Prepared {
  readonly tenant: TenantKey
  readonly message: Message
  /** For where Slack refuses the table in `message`. */
  readonly otherwise: Message | undefined
  /**
   * Whether it may ride in an acknowledgement: a refusal there can't be seen, so a table does only where this workspace
   * took one before.
   */
  readonly mayRide: boolean
  readonly afterwards: (() => void) | undefined
}

const plainForMs = 60 * 60_000

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
  return {
    async prepare({ message, withoutTable, afterwards }, tenant) {
      const plain = { tenant, otherwise: undefined, mayRide: true, afterwards }
      if (!withoutTable) return { ...plain, message }
      const known = await support.get(tenant)
      if ((known?.refusedUntil ?? 0) > now()) return { ...plain, message: withoutTable }
      return { tenant, message, otherwise: withoutTable, mayRide: known?.accepted ?? false, afterwards }
    },
    async accepted({ tenant, mayRide, otherwise }) {
      if (otherwise && !mayRide) await support.set({ accepted: true }, tenant)
    },
    refused: ({ tenant }) => support.set({ accepted: false, refusedUntil: now() + plainForMs }, tenant),
  }
}
