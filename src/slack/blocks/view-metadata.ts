import { z } from 'zod'
import type { Tenant } from '../../store/tenant.ts'
import { readValue } from './written-values.ts'

const origin = z.object({
  teamId: z.string().min(1),
  // Only workspaces of an organization have one.
  enterpriseId: z.string().optional(),
  channel: z.string(),
})

/** Stored in a view's `private_metadata`, because its payload may name another workspace. */
export const writeOrigin = (team: Tenant, channel: string, more: object = {}): string =>
  JSON.stringify({ teamId: team.teamId, enterpriseId: team.enterpriseId, channel, ...more })

export interface ViewOrigin {
  readonly team: Tenant
  readonly channel: string
}

type WithMetadata = Readonly<Record<'private_metadata', string>>

export function readOrigin(view: WithMetadata): ViewOrigin {
  const { teamId, enterpriseId, channel } = readMetadata(view, origin)
  return { team: { teamId, enterpriseId }, channel }
}

export const readMetadata = <T>(view: WithMetadata, schema: z.ZodType<T>): T =>
  readValue(schema, view.private_metadata, "a view's private_metadata")
