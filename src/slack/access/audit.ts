import type { Log } from '../../log.ts'
import type { AuditEntry, AuditTrail } from '../../store/audit.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import { auditDetail } from './audit-line.ts'
import type { Actor } from './guards.ts'

/** Of what it was done. */
type Subject = Pick<AuditEntry, 'channel' | 'people' | 'detail' | 'name'>

/** What an admin or the operator may have to look up later: in the log, and for the workspace's admins in the store. */
export class Audit {
  readonly #trail
  readonly #log
  readonly #now

  constructor({ trail, log, now }: { trail: AuditTrail; log: Log; now: () => EpochMs }) {
    this.#trail = trail
    this.#log = log
    this.#now = now
  }

  /** @throws {StoreError} */
  record({ person, tenant }: Actor, what: string, subject: Subject = {}): Promise<void> {
    return this.#add(tenant, { who: person.id, what, ...subject })
  }

  /** The same for what nobody does at this moment, such as a scheduled post. @throws {StoreError} */
  recordInNameOf(who: string, tenant: TenantKey, what: string, subject: Subject = {}): Promise<void> {
    return this.#add(tenant, { who, what, ...subject, isAutomatic: true })
  }

  async #add(tenant: TenantKey, entry: Omit<AuditEntry, 'at'>): Promise<void> {
    const { who, what } = entry
    const detail = auditDetail(entry)
    // Without what somebody is called: nobody's name is logged.
    this.#log.info({ audit: true, action: what, tenant, person: who, ...(detail && { detail }) }, 'audit')
    await this.#trail.add(tenant, { at: this.#now(), ...entry })
  }
}
