import { z } from 'zod'

declare const brand: unique symbol

/** What every record of a workspace is kept under. Made by `tenantKey` alone. */
export type TenantKey = string & { readonly [brand]: 'TenantKey' }

export interface Tenant {
  readonly enterpriseId: string | undefined
  readonly teamId: string
}

/** A tenant as it comes back out of JSON, which leaves out what is undefined. */
export const tenantRecord = z
  .object({ enterpriseId: z.string().optional(), teamId: z.string().min(1) })
  .transform(({ enterpriseId, teamId }): Tenant => ({ enterpriseId, teamId }))

/** Escapes the separator, so that no two lists of parts make the same key. Ids of Slack's hold nothing to escape. */
export const escapePart = (text: string) =>
  /[%/]/.test(text) ? text.replaceAll('%', '%25').replaceAll('/', '%2F') : text

export const unescapePart = (text: string) => text.replaceAll('%2F', '/').replaceAll('%25', '%')

/** For what made its way here from `tenantKey` under the name of a string. */
export const isTenantKey = (text: string): text is TenantKey => text.length > 1

/**
 * The one function that makes a tenant's key: of the team alone, whose id is unique. Which organisation a workspace belongs
 * to may change, and not every payload says.
 * @throws {RangeError} for an empty team
 */
export function tenantKey({ teamId }: Partial<Tenant> & Pick<Tenant, 'teamId'>): TenantKey {
  if (teamId === '') throw new RangeError('a tenant needs a team')
  const key = `/${escapePart(teamId)}`
  if (!isTenantKey(key)) throw new RangeError('a tenant needs a team')
  return key
}

export const scopedKey = (tenant: TenantKey, ...parts: readonly string[]): string =>
  [tenant, ...parts.map(escapePart)].join('/')
