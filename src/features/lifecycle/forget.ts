import type { Log } from '../../log.ts'
import { installationKey } from '../../store/installations.ts'
import type { Store } from '../../store/store.ts'
import { type Tenant, type TenantKey, tenantKey } from '../../store/tenant.ts'

export interface Forget {
  /** Everything of a workspace, its own installation included. */
  workspace(tenant: Tenant): Promise<void>
  /** The organisation's installation, and everything of its workspaces that have none of their own. */
  organisation(enterpriseId: string): Promise<void>
}

/**
 * Forgetting is idempotent: Slack tells of an end several times, in any order.
 * @param deps.caches what this process remembers of a tenant; other processes let go of theirs within minutes, and show none
 *   of it without an installation
 */
export function createForget(deps: {
  store: Store
  caches: readonly { forget(tenant: TenantKey): void }[]
  log: Log
}): Forget {
  const { store, caches, log } = deps

  async function contents(tenant: Tenant): Promise<void> {
    const key = tenantKey(tenant)
    await store.deleteTenant(key)
    for (const cache of caches) cache.forget(key)
    log.info({ audit: true, action: 'forget', tenant: key }, 'audit')
  }

  return {
    async workspace(tenant) {
      await store.installations.delete(installationKey({ teamId: tenant.teamId }))
      await contents(tenant)
    },
    async organisation(enterpriseId) {
      await store.installations.delete(installationKey({ enterpriseId }))
      for (const tenant of await store.tenantsOf(enterpriseId)) {
        const own = await store.installations.get(installationKey({ teamId: tenant.teamId }))
        if (!own) await contents(tenant)
      }
      log.info({ audit: true, action: 'forget', enterprise: enterpriseId }, 'audit')
    },
  }
}
