import { z } from 'zod'
import type { Tenant } from '../../store/tenant.ts'
import type { ViewPayload } from '../inbound/payloads.ts'
import { readValue } from './values.ts'

const origin = z.object({
  teamId: z.string().min(1),
  enterpriseId: z.string().optional(),
  channel: z.string(),
})

/** Where a view was opened, for its `private_metadata`: its payload may name another workspace. */
export function writeOrigin<T extends object>(tenant: Tenant, channel: string, more: T): string {
  return JSON.stringify({ teamId: tenant.teamId, enterpriseId: tenant.enterpriseId, channel, ...more })
}

/** @throws {ForgedValueError} for metadata that this app did not write */
export function readOrigin(view: ViewPayload): { tenant: Tenant; channel: string } {
  const { teamId, enterpriseId, channel } = readMetadata(view, origin)
  return { tenant: { teamId, enterpriseId }, channel }
}

/** @throws {ForgedValueError} */
export const readMetadata = <T>(view: ViewPayload, schema: z.ZodType<T>): T =>
  readValue(schema, view.private_metadata, "a view's private_metadata")
