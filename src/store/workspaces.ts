import { z } from 'zod'
import { escapePart, isTenantKey, type TenantKey } from './tenant.ts'
import { epochMsSchema } from './times.ts'

export const credentialsSchema = z.object({
  key: z.string(),
  secret: z.string(),
  connectedBy: z.string(),
  connectedAt: epochMsSchema,
})
export type CredentialsRecord = z.infer<typeof credentialsSchema>

export const zoneSettingsSchema = z.object({ zone: z.string().optional() })
export const organizationSchema = z.object({ enterpriseId: z.string().min(1), teamId: z.string().min(1) })

/** Areas of data that have an access rule, in display order. */
export const areas = ['calls', 'recordings', 'agents', 'billing'] as const
export type Area = (typeof areas)[number]

/** Administrators always have access. The ids of `people` only count if `who` is `people`. */
const ruleSchema = z.object({ who: z.enum(['everyone', 'admins', 'people']), people: z.array(z.string()) })
export type AccessRule = z.infer<typeof ruleSchema>

export const accessSchema = z.object({
  calls: ruleSchema,
  recordings: ruleSchema,
  agents: ruleSchema,
  billing: ruleSchema,
  /** Exporting also requires access to calls. */
  exports: z.enum(['everyone', 'admins']),
  /** Ids, in addition to the installation's administrator and Slack's admins and owners. */
  administrators: z.array(z.string()),
})
export type AccessRecord = z.infer<typeof accessSchema>

/** Stored by tenant and person. */
export const ownAgentSchema = z.object({ agentId: z.string().min(1), agentName: z.string() })

export const linesSchema = z.object({ lines: z.array(z.object({ number: z.string(), name: z.string() })) })

/** Administrator of an installation that replaced an unreadable one: who it was isn't known, and reinstalling makes no administrator. */
export const NO_ADMINISTRATOR = ''

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
  /** A person, or `NO_ADMINISTRATOR`. By default, the installer. */
  administrator: z.string().optional(),
  installedAt: epochMsSchema,
})
export type InstallationRecord = z.infer<typeof installationSchema>

/** Prefers the team, because a workspace that joins an organization keeps its installation. */
export function installationKey(owner: Pick<InstallationRecord, 'enterpriseId' | 'teamId'>): TenantKey {
  const { enterpriseId = '', teamId } = owner
  const key = teamId ? `team/${escapePart(teamId)}` : `organization/${escapePart(enterpriseId)}`
  if (!isTenantKey(key)) throw new RangeError('an installation needs a team or an organization')
  return key
}
