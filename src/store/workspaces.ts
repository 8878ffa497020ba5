import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { dayMs, type EpochMs, type Milliseconds } from '../util/units.ts'
import type { Database } from './engine/database.ts'
import { Rows } from './engine/rows.ts'
import { escapePart, isTenantKey, type TenantKey } from './tenant.ts'

/** Instants after the year 9999 can't be formatted in every zone. */
export const epochMs: z.ZodType<EpochMs> = z.number().min(-253_402_300_799_999).max(253_402_300_799_999)

export const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

export const credentialsSchema = z.object({
  key: z.string(),
  secret: z.string(),
  connectedBy: z.string(),
  connectedAt: epochMs,
})
export type CredentialsRecord = z.infer<typeof credentialsSchema>

export const zoneSettingsSchema = z.object({ zone: z.string().optional() })

export const organizationSchema = z.object({ enterpriseId: z.string().min(1), teamId: z.string().min(1) })

/** In display order. */
export const areas = ['calls', 'recordings', 'agents', 'billing'] as const
export type Area = (typeof areas)[number]

/** Administrators always have access. `people` are ids. */
const ruleSchema = z.object({ who: z.enum(['everyone', 'admins', 'people']), people: z.array(z.string()) })
export type AccessRule = z.infer<typeof ruleSchema>

export const accessSchema = z.object({
  calls: ruleSchema,
  recordings: ruleSchema,
  agents: ruleSchema,
  billing: ruleSchema,
  /** Exporting also requires access to calls. */
  exports: z.enum(['everyone', 'admins']),
  /** Ids, in addition to the installer and Slack's admins and owners. */
  administrators: z.array(z.string()),
})
export type AccessRecord = z.infer<typeof accessSchema>

/** Stored by tenant and person. */
export const ownAgentSchema = z.object({ agentId: z.string().min(1), agentName: z.string() })

export const linesSchema = z.object({ lines: z.array(z.object({ number: z.string(), name: z.string() })) })

/** Stored encrypted. */
export const installationSchema = z.object({
  enterpriseId: z.string().optional(),
  /** Undefined for an organization's installation. */
  teamId: z.string().optional(),
  botToken: z.string(),
  botUserId: z.string(),
  appId: z.string().optional(),
  scopes: z.array(z.string()),
  installer: z.string(),
  /** Empty if the installation replaced an unreadable one. */
  administrator: z.string().optional(),
  installedAt: epochMs,
})
export type InstallationRecord = z.infer<typeof installationSchema>

/** Prefers the team, because a workspace that joins an organization keeps its installation. */
export function installationKey(owner: Pick<InstallationRecord, 'enterpriseId' | 'teamId'>): TenantKey {
  const { enterpriseId = '', teamId } = owner
  const key = teamId ? `team/${escapePart(teamId)}` : `organization/${escapePart(enterpriseId)}`
  if (key.endsWith('/') || !isTenantKey(key))
    throw new RangeError('an installation needs a team or an organization')
  return key
}

const auditEntrySchema = z.object({
  at: epochMs,
  who: z.string(),
  what: z.string(),
  channel: z.string().optional(),
  /** Ids of the affected people. */
  people: z.array(z.string()).optional(),
  /** Text for people, without secrets. */
  detail: z.string().optional(),
  /** Name of the agent in the detail at that time. */
  name: z.string().optional(),
  /** Done on behalf of `who`, such as a scheduled post. */
  isAutomatic: z.boolean().optional(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

const AUDIT_TTL_MS: Milliseconds = 366 * dayMs

/** Keys count down from the last instant of a `Date`, so that the newest entry comes first. */
const LAST_INSTANT = 8_640_000_000_000_000

/** One row per entry, because concurrent writes to one record would lose entries. */
export class AuditTrail extends Rows<AuditEntry> {
  constructor(database: Database) {
    super(database, 'audit-log', auditEntrySchema)
  }

  async add(tenant: TenantKey, entry: AuditEntry): Promise<void> {
    const countdown = String(LAST_INSTANT - entry.at).padStart(16, '0')
    await this.set(tenant, `${countdown}-${randomUUID()}`, entry, AUDIT_TTL_MS)
  }

  async latest(tenant: TenantKey, { limit = 100, skip = 0 } = {}): Promise<readonly AuditEntry[]> {
    const entries: AuditEntry[] = []
    for await (const entry of this.from(tenant, '')) if (entries.push(entry) >= skip + limit) break
    return entries.slice(skip)
  }
}
