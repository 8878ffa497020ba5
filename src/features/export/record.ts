import { z } from 'zod'
import { tenantRecord } from '../../store/tenant.ts'
import { epochMs } from '../../store/workspaces.ts'
import { listQuerySchema, zoneSchema } from '../calls/query.ts'

const exportRequestSchema = z.strictObject({
  /** Sorts by the time of the request. */
  id: z.string(),
  tenant: tenantRecord,
  person: z.string(),
  query: listQuerySchema,
  zone: zoneSchema,
  askedAt: epochMs,
  /** Number of calls to read, as counted for the request; undefined if the service doesn't say. */
  total: z.number().optional(),
})
export type ExportRequest = z.infer<typeof exportRequestSchema>

/** Says that an export is wanted: deleting the record ends the export. */
export const exportRecordSchema = exportRequestSchema.extend({
  /** Direct message that shows the progress. */
  message: z.strictObject({ channel: z.string(), ts: z.string() }),
})
export type ExportRecord = z.infer<typeof exportRecordSchema>

export const exportJobSchema = z.object({ tenant: tenantRecord, id: z.string() })
export type ExportJob = z.infer<typeof exportJobSchema>
