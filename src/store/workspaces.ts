import { z } from 'zod'
import { epochMs } from './engine/schema.ts'
import { escapePart, isTenantKey, type TenantKey } from './tenant.ts'

export const credentialsRecord = z.object({
  key: z.string(),
  secret: z.string(),
  connectedBy: z.string(),
  connectedAt: epochMs,
})
export type CredentialsRecord = z.infer<typeof credentialsRecord>

export const zoneSettings = z.object({ zone: z.string().optional() })

export const organizationRecord = z.object({ enterpriseId: z.string().min(1), teamId: z.string().min(1) })

/** Areas that access rules cover, in display order. */
export const areas = ['calls', 'recordings', 'agents', 'billing'] as const
export type Area = (typeof areas)[number]

/** Administrators always have access; `people` are the ids of others, if `who` is `people`. */
const accessRule = z.object({ who: z.enum(['everyone', 'admins', 'people']), people: z.array(z.string()) })
export type AccessRule = z.infer<typeof accessRule>

export const accessRecord = z.object({
  calls: accessRule,
  recordings: accessRule,
  agents: accessRule,
  billing: accessRule,
  /** Who may export calls, of the people who see calls. */
  exports: z.enum(['everyone', 'admins']),
  /** Ids of administrators in addition to the installer and Slack's admins and owners. */
  administrators: z.array(z.string()),
})
export type AccessRecord = z.infer<typeof accessRecord>

/** The agent that a person is. By tenant and person. */
export const ownAgentRecord = z.object({ agentId: z.string().min(1), agentName: z.string() })
export type OwnAgentRecord = z.infer<typeof ownAgentRecord>

export const linesRecord = z.object({ lines: z.array(z.object({ number: z.string(), name: z.string() })) })

/** An installation of the app in a workspace or an organization. Stored encrypted. */
export const installationRecord = z.object({
  enterpriseId: z.string().optional(),
  /** Undefined for an organization's installation. */
  teamId: z.string().optional(),
  botToken: z.string(),
  botUserId: z.string(),
  appId: z.string().optional(),
  scopes: z.array(z.string()),
  installer: z.string(),
  /** Person who becomes an administrator. Empty if it replaced an installation that could not be read. */
  administrator: z.string().optional(),
  installedAt: epochMs,
})
export type InstallationRecord = z.infer<typeof installationRecord>

/**
 * Returns the key of an installation: the team's id alone, because a workspace keeps its installation when it joins an
 * organization, or the organization's id if there is no team.
 */
export function installationKey({
  enterpriseId,
  teamId,
}: Pick<InstallationRecord, 'enterpriseId' | 'teamId'>): TenantKey {
  const key = teamId ? `team/${escapePart(teamId)}` : `organization/${escapePart(enterpriseId ?? '')}`
  if (key.endsWith('/') || !isTenantKey(key))
    throw new RangeError('an installation needs a team or an organization')
  return key
}
