import { z } from 'zod'
import { listQuerySchema, zoneSchema } from '../../query/query.ts'
import { workspaceSchema } from '../../store/tenant.ts'
import { epochMs } from '../../store/workspaces.ts'

export const exportJobSchema = z.object({ workspace: workspaceSchema, id: z.string() })
export type ExportJob = z.infer<typeof exportJobSchema>

const exportRequestSchema = exportJobSchema.extend({
  person: z.string(),
  query: listQuerySchema,
  zone: zoneSchema,
  askedAt: epochMs,
  /** Number of calls to read; undefined if the service doesn't say. */
  total: z.number().optional(),
})
export type ExportRequest = z.infer<typeof exportRequestSchema>

/** Deleting the record ends the export. */
export const exportRecordSchema = exportRequestSchema.extend({
  /** Direct message that shows the progress. */
  message: z.object({ channel: z.string(), ts: z.string() }),
})
export type ExportRecord = z.infer<typeof exportRecordSchema>

export interface ExportProgress {
  readonly name: 'reading'
  /** Number of calls that were read. */
  readonly read: number
  readonly total?: number | undefined
}

export type ExportState =
  | ExportProgress
  | { readonly name: 'sent'; readonly calls: number }
  /** `unconfirmed`: Slack didn't say whether the file arrived. */
  | { readonly name: 'cancelled' | 'unconfirmed' | 'empty' }
  /** `kind` is for logs and metrics, `why` is mrkdwn. */
  | { readonly name: 'failed'; readonly kind: string; readonly why: string; readonly canRetry: boolean }
