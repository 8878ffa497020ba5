import type { Log } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { type Tenant, tenantKey } from '../../store/tenant.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Installations } from '../api/installations.ts'

/** Keeps which organisation a workspace belongs to, as payloads name it. Looked at once an hour and workspace. */
export class Membership {
  readonly #store: Pick<Store, 'organisationOf' | 'noteOrganisation'>
  readonly #installations: Installations
  readonly #log: Pick<Log, 'warn'>
  readonly #noted: BoundedMap<string>

  constructor(services: {
    store: Pick<Store, 'organisationOf' | 'noteOrganisation' | 'on'>
    installations: Installations
    log: Pick<Log, 'warn'>
    now: () => EpochMs
  }) {
    this.#store = services.store
    this.#installations = services.installations
    this.#log = services.log
    this.#noted = new BoundedMap({ max: 20_000, ttlMs: 60 * 60_000, now: services.now })
    services.store.on('tenant-deleted', (tenant) => this.#noted.delete(tenant))
  }

  /** Nobody waits for it. */
  note(team: Tenant): void {
    const { enterpriseId, teamId } = team
    if (enterpriseId === undefined || teamId === '') return
    const tenant = tenantKey(team)
    if (this.#noted.get(tenant) === enterpriseId) return
    this.#noted.set(tenant, enterpriseId)
    this.#write(team, enterpriseId).catch((error: unknown) => {
      this.#noted.delete(tenant)
      this.#log.warn({ err: error }, 'the organisation of a workspace was not noted')
    })
  }

  async #write(team: Tenant, enterpriseId: string): Promise<void> {
    if ((await this.#store.organisationOf(tenantKey(team))) === enterpriseId) return
    // Nothing is noted of a workspace that has been left meanwhile.
    if (await this.#installations.find(team)) await this.#store.noteOrganisation(team, enterpriseId)
  }
}
