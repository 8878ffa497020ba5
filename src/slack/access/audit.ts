import { EventEmitter } from 'node:events'
import type { Log } from '../../log.ts'
import type { AuditTrail } from '../../store/audit.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Actor } from './guards.ts'

/**
 * What an admin or the operator may have to look up later: in the log, and for the workspace's admins in the store. Emits
 * `recorded` with the person who has just done something.
 */
export class Audit extends EventEmitter<{ recorded: [Actor] }> {
  readonly #trail: AuditTrail
  readonly #log: Log
  readonly #now: () => EpochMs

  constructor(options: { trail: AuditTrail; log: Log; now: () => EpochMs }) {
    super()
    this.#trail = options.trail
    this.#log = options.log
    this.#now = options.now
  }

  /** @throws {StoreError} */
  async record(actor: Actor, what: string, detail?: string): Promise<void> {
    await this.recordInNameOf(actor.person.id, actor.tenant, what, detail)
    this.emit('recorded', actor)
  }

  /** The same for what nobody does at this moment, such as a scheduled post. @throws {StoreError} */
  async recordInNameOf(who: string, tenant: TenantKey, what: string, detail?: string): Promise<void> {
    const more = detail ? { detail } : {}
    this.#log.info({ audit: true, action: what, tenant, person: who, ...more }, 'audit')
    await this.#trail.add(tenant, { at: this.#now(), who, what, ...more })
  }
}
