import type { Log } from '../../log.ts'
import type { AuditTrail } from '../../store/audit.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { Interaction } from '../routing/routes.ts'

/** What an admin or the operator may have to look up later: in the log, and for the workspace's admins in the store. */
export interface Audit {
  record(interaction: Pick<Interaction, 'tenant' | 'visitor'>, what: string, detail?: string): Promise<void>
  /** The same for what is done in somebody's name. */
  note(whose: { tenant: TenantKey; who: string }, what: string, detail?: string): Promise<void>
}

/** @param deps.changed told after somebody has changed something */
export function createAudit(deps: {
  trail: AuditTrail
  log: Log
  now: () => number
  changed: (whose: Pick<Interaction, 'visitor'>) => void
}): Audit {
  const { trail, log, now, changed } = deps
  const note: Audit['note'] = async ({ tenant, who }, what, detail) => {
    log.info({ audit: true, action: what, tenant, person: who, ...(detail ? { detail } : {}) }, 'audit')
    await trail.add(tenant, { at: now(), who, what, ...(detail ? { detail } : {}) })
  }
  return {
    note,
    async record({ tenant, visitor }, what, detail) {
      await note({ tenant, who: visitor.person.id }, what, detail)
      changed({ visitor })
    },
  }
}
