import { z } from 'zod'

declare const brand: unique symbol

/** Key of a workspace's records, from `tenantKey`, or of an installation, from `installationKey`. */
export type TenantKey = string & { readonly [brand]: 'TenantKey' }

/** JSON leaves out an undefined organization, but a `Workspace` always has the field. */
export const workspaceSchema = z
  .object({ enterpriseId: z.string().optional(), teamId: z.string().min(1) })
  .transform(({ enterpriseId, teamId }) => ({ enterpriseId, teamId }))
export type Workspace = Readonly<z.infer<typeof workspaceSchema>>

/** Escapes the separator, so that no two lists of parts make the same key. */
export const escapePart = (text: string) =>
  /[%/]/.test(text) ? text.replaceAll('%', '%25').replaceAll('/', '%2F') : text

/** Narrows a key that was passed on as a string. False for one that ends without an id, such as `/` or `team/`. */
export const isTenantKey = (key: string): key is TenantKey => !key.endsWith('/')

/** Leaves out the organization, which may change and isn't in every payload. @throws {RangeError} for an empty team */
export function tenantKey({ teamId }: Pick<Workspace, 'teamId'>): TenantKey {
  const key = `/${escapePart(teamId)}`
  if (!isTenantKey(key)) throw new RangeError('a tenant needs a team')
  return key
}

export const scopedKey = (tenant: TenantKey, ...parts: readonly string[]): string =>
  [tenant, ...parts.map(escapePart)].join('/')
