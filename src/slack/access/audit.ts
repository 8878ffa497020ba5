import type { Log } from '../../log.ts'
import type { AuditRoom, AuditTrail } from '../../store/audit.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Actor } from './guards.ts'

/** What was done, of what, and what somebody in it is called, which is not logged, as nobody's name is. */
interface Deed {
  readonly what: string
  readonly detail?: string | undefined
  readonly name?: string | undefined
}

/** What an admin or the operator may have to look up later: in the log, and for the workspace's admins in the store. */
export class Audit {
  readonly #trail: AuditTrail
  readonly #log: Log
  readonly #now: () => EpochMs

  constructor({ trail, log, now }: { trail: AuditTrail; log: Log; now: () => EpochMs }) {
    this.#trail = trail
    this.#log = log
    this.#now = now
  }

  /** @throws {StoreError} */
  record(actor: Actor, what: string, detail?: string, { name }: Pick<Deed, 'name'> = {}): Promise<void> {
    const { person, tenant } = actor
    return this.#add(person.id, tenant, { what, detail, name }, person.isAdmin ? 'admins' : 'others')
  }

  /** The same for what nobody does at this moment, such as a scheduled post. @throws {StoreError} */
  recordInNameOf(who: string, tenant: TenantKey, what: string, detail?: string): Promise<void> {
    return this.#add(who, tenant, { what, detail }, 'others')
  }

  async #add(who: string, tenant: TenantKey, { what, detail, name }: Deed, room: AuditRoom): Promise<void> {
    const more = detail ? { detail } : {}
    this.#log.info({ audit: true, action: what, tenant, person: who, ...more }, 'audit')
    await this.#trail.add(tenant, { at: this.#now(), who, what, ...more, ...(name ? { name } : {}) }, room)
  }
}
