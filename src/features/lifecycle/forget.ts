import type { Log } from '../../log.ts'
import { installationKey } from '../../store/installations.ts'
import type { Store } from '../../store/store.ts'
import { type Tenant, tenantKey } from '../../store/tenant.ts'

/**
 * Deletes what is kept of a workspace. Idempotent: Slack tells of an end several times, in any order. What this process
 * remembers goes with it (the store emits `tenant-deleted`); other processes let go of theirs within minutes, and show
 * none of it without an installation. Every method @throws {StoreError}.
 */
export class Forget {
  readonly #store: Store
  readonly #log: Log

  constructor(store: Store, log: Log) {
    this.#store = store
    this.#log = log
  }

  /** Everything of a workspace, its own installation included. */
  async workspace(team: Tenant): Promise<void> {
    await this.#store.installations.delete(installationKey({ teamId: team.teamId }))
    await this.#contents(team)
  }

  /** The organisation's installation, and everything of its workspaces that have none of their own. */
  async organisation(enterpriseId: string): Promise<void> {
    await this.#store.installations.delete(installationKey({ enterpriseId }))
    for (const team of await this.#store.tenantsOf(enterpriseId)) {
      const own = await this.#store.installations.get(installationKey({ teamId: team.teamId }))
      if (!own) await this.#contents(team)
    }
    this.#log.info({ audit: true, action: 'forget', enterprise: enterpriseId }, 'audit')
  }

  async #contents(team: Tenant): Promise<void> {
    const tenant = tenantKey(team)
    await this.#store.deleteTenant(tenant)
    this.#log.info({ audit: true, action: 'forget', tenant }, 'audit')
  }
}
