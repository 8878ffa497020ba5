import { EventEmitter } from 'node:events'
import type { Log } from '../../log.ts'
import type { AuditRoom, AuditTrail } from '../../store/audit.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Actor } from './guards.ts'

interface AuditMore {
  readonly name?: string
}

/**
 * What an admin or the operator may have to look up later: in the log, and for the workspace's admins in the store. Emits
 * `recorded` with the person who has just done something.
 */
export class Audit extends EventEmitter<{ recorded: [Actor] }> {
  readonly #services

  constructor(services: { trail: AuditTrail; log: Log; now: () => EpochMs }) {
    super()
    this.#services = services
  }

  /**
   * @param more.name what somebody in the detail is called; it is not logged, as nobody's name is
   * @throws {StoreError}
   */
  async record(actor: Actor, what: string, detail?: string, more: AuditMore = {}): Promise<void> {
    const { person, tenant } = actor
    await this.#add(person.id, tenant, { what, detail, ...more }, person.isAdmin ? 'admins' : 'others')
    this.emit('recorded', actor)
  }

  /** The same for what nobody does at this moment, such as a scheduled post. @throws {StoreError} */
  recordInNameOf(who: string, tenant: TenantKey, what: string, detail?: string): Promise<void> {
    return this.#add(who, tenant, { what, detail }, 'others')
  }

  async #add(
    who: string,
    tenant: TenantKey,
    { what, detail, name }: { what: string; detail: string | undefined } & AuditMore,
    room: AuditRoom,
  ): Promise<void> {
    const { trail, log, now } = this.#services
    const more = detail ? { detail } : {}
    log.info({ audit: true, action: what, tenant, person: who, ...more }, 'audit')
    const entry = { at: now(), who, what, ...more, ...(name ? { name } : {}) }
    await trail.add(tenant, entry, room)
  }
}
