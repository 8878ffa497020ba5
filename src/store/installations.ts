import { z } from 'zod'
import { epochMs } from './engine/schema.ts'
import { escapePart, isTenantKey, type TenantKey } from './tenant.ts'

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
  const key = teamId ? `team/${escapePart(teamId)}` : `organisation/${escapePart(enterpriseId ?? '')}`
  if (key.endsWith('/') || !isTenantKey(key))
    throw new RangeError('an installation needs a team or an organisation')
  return key
}
