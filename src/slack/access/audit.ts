import { EventEmitter } from 'node:events'
import type { Log } from '../../log.ts'
import type { AuditTrail } from '../../store/audit.ts'
import type { Generation } from '../../store/generations.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Actor } from './guards.ts'

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
   * @param generation of what took a while: it is not noted of a tenant that was deleted meanwhile
   * @throws {StoreError}
   */
  async record(actor: Actor, what: string, detail?: string, generation?: Generation): Promise<void> {
    await this.recordInNameOf(actor.person.id, actor.tenant, what, detail, generation)
    this.emit('recorded', actor)
  }

  /** The same for what nobody does at this moment, such as a scheduled post. @throws {StoreError} */
  async recordInNameOf(
    who: string,
    tenant: TenantKey,
    what: string,
    detail?: string,
    generation?: Generation,
  ): Promise<void> {
    const more = detail ? { detail } : {}
    this.#services.log.info({ audit: true, action: what, tenant, person: who, ...more }, 'audit')
    await this.#services.trail.add(tenant, { at: this.#services.now(), who, what, ...more }, generation)
  }
}
