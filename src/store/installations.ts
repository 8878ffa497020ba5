import { z } from 'zod'
import { epochMs } from './engine/schema.ts'
import { escapePart, isTenantKey, type TenantKey } from './tenant.ts'

/** An installation of the app, in a workspace or in a whole organisation. Encrypted. */
export const installationRecord = z.object({
  enterpriseId: z.string().optional(),
  /** None: it is the organisation's. */
  teamId: z.string().optional(),
  botToken: z.string(),
  botUserId: z.string(),
  appId: z.string().optional(),
  scopes: z.array(z.string()),
  installer: z.string(),
  /** Whom it makes an administrator. Empty for nobody: it was made over one that could not be read. */
  administrator: z.string().optional(),
  installedAt: epochMs,
})
export type InstallationRecord = z.infer<typeof installationRecord>

/**
 * What an installation is kept under: the organisation's where there is no team. A team's id alone, since a workspace keeps
 * its installation when it joins an organisation.
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
