import { hash } from 'node:crypto'
import type { ListSeen, WatchRecord } from '../store/alerts.ts'
import { UndecryptableError } from '../store/errors.ts'
import type { TenantKey } from '../store/tenant.ts'
import type { CredentialsRecord } from '../store/workspaces.ts'
import type { EpochMs } from '../util/units.ts'
import { type Look, listName } from './look.ts'

type Lists = Readonly<Record<string, ListSeen>>

/** The account that a tenant is connected to now, and what is noted of it. */
export interface WatchedAccount {
  /** Stands for it, without telling its key: another secret of the same key is still that account. */
  readonly id: string
  /** Nothing that was missed before is told. */
  readonly since: EpochMs
  readonly lookedAt: EpochMs | undefined
  readonly lists: Lists
  /** What is to be noted of it anew. */
  readonly changes: Partial<WatchRecord>
}

/** The credentials, or why they can't be read. @throws {StoreError} for anything else */
export const orUndecryptable = (reading: Promise<CredentialsRecord | undefined>) =>
  reading.catch((error: unknown) => {
    if (error instanceof UndecryptableError) return error
    throw error
  })

/** @param lookedAt when a look at the tenant's account went well last */
export function watchedAccount(
  tenant: TenantKey,
  { key, connectedAt }: CredentialsRecord,
  { account, since = 0, lists = {} }: WatchRecord,
  lookedAt: EpochMs | undefined,
): WatchedAccount {
  if (account?.connectedAt === connectedAt) return { id: account.id, since, lookedAt, lists, changes: {} }
  const id = hash('sha256', `${tenant}\n${key}`, 'base64url').slice(0, 12)
  const named = { account: { id, connectedAt } }
  if (!account || account.id === id) return { id, since, lookedAt, lists, changes: named }
  const changes = { ...named, since: connectedAt, lists: {} }
  return { id, since: connectedAt, lookedAt: undefined, lists: {}, changes }
}

/** How the account's lists look now; nothing where they are as they were. */
export function changedLists({ id, lists }: WatchedAccount, { news }: Look): Pick<WatchRecord, 'lists'> {
  const changed = [...news].flatMap(([agentId, { seen }]) =>
    seen ? [[listName(id, agentId), seen] as const] : [],
  )
  return changed.length === 0 ? {} : { lists: { ...lists, ...Object.fromEntries(changed) } }
}
