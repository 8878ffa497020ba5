import { z } from 'zod'
import { listQuerySchema, zoneSchema } from '../../query/query.ts'
import { workspaceSchema } from '../../store/tenant.ts'
import { epochMsSchema } from '../../store/times.ts'

/** Deleting the record ends the export. */
export const exportRecordSchema = z.object({
  workspace: workspaceSchema,
  id: z.string(),
  person: z.string(),
  query: listQuerySchema,
  zone: zoneSchema,
  askedAt: epochMsSchema,
  /** Number of calls to read; undefined if the service doesn't say. */
  total: z.number().optional(),
  /** Direct message that shows the progress. */
  message: z.object({ channel: z.string(), ts: z.string() }),
})
export type ExportRecord = z.infer<typeof exportRecordSchema>
export type ExportRequest = Omit<ExportRecord, 'message'>

export const exportJobSchema = exportRecordSchema.pick({ workspace: true, id: true })
export type ExportJob = z.infer<typeof exportJobSchema>

export type ExportState =
  /** Number of calls that were read, or that the file has. */
  | { readonly name: 'reading' | 'sent'; readonly calls: number }
  /** `unconfirmed`: Slack didn't say whether the file arrived. */
  | { readonly name: 'cancelled' | 'unconfirmed' | 'empty' }
  /** `kind` is for logs and metrics, `why` is mrkdwn. */
  | { readonly name: 'failed'; readonly kind: string; readonly why: string; readonly canRetry: boolean }
