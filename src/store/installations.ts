import { z } from 'zod'
import { asKey, part, type TenantKey } from './tenant.ts'

/** An installation of the app, in a workspace or in a whole organisation. Encrypted. */
export const installationRecord = z.object({
  enterpriseId: z.string().optional(),
  /** None: it is the organisation's. */
  teamId: z.string().optional(),
  botToken: z.string(),
  botUserId: z.string(),
  scopes: z.array(z.string()),
  /** With token rotation: works once. */
  refreshToken: z.string().optional(),
  /** With token rotation: epoch ms. */
  expiresAt: z.number().optional(),
  /** The person who installed it. */
  installer: z.string(),
  /** Epoch ms. */
  installedAt: z.number(),
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
  const key = teamId ? `team/${part(teamId)}` : `organisation/${part(enterpriseId ?? '')}`
  if (key.endsWith('/') || !asKey(key))
    throw new RangeError('an installation needs a team or an organisation')
  return key
}
