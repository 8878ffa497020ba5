import type { Workspaces } from '../slack/access/workspaces.ts'
import type { Notice, Notices } from '../slack/deliver/notices.ts'
import { tenantKey } from '../store/tenant.ts'
import type { PlannedRecord } from './kind.ts'

/**
 * Notifies whoever's it is of what has stopped by itself, and whoever connected the account where the owner may not see it any
 * more; where a direct message reaches neither, the channel.
 * @param stopped.id the same for the same notice
 */
export async function notifyOwner(
  { notices, workspaces }: { readonly notices: Notices; readonly workspaces: Workspaces },
  { tenant, owner, channel }: PlannedRecord,
  { id, notice, isOwnerOut }: { readonly id: string; readonly notice: Notice; readonly isOwnerOut: boolean },
): Promise<void> {
  const connector = isOwnerOut ? await workspaces.connectedBy(tenantKey(tenant)) : undefined
  const people = [owner, ...(connector === undefined ? [] : [connector])]
  await notices.notify(tenant, people, id, notice, channel)
}
