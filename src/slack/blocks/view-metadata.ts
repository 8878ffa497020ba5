import { z } from 'zod'
import type { Workspace } from '../../store/tenant.ts'
import { readValue } from './written-values.ts'

/** The message that was clicked, where an answer can still be shown half an hour later. */
const replyTargetSchema = z.object({
  responseUrl: z.string().optional(),
  channel: z.string(),
  message: z.string(),
  /** Slack's `action_ts`: seconds with six decimals. */
  actionTs: z.string(),
})
export type ReplyTarget = Readonly<z.infer<typeof replyTargetSchema>>

const originSchema = z.object({
  teamId: z.string().min(1),
  // Only workspaces of an organization have one.
  enterpriseId: z.string().optional(),
  channel: z.string(),
  openedBy: replyTargetSchema.optional(),
})

export interface ViewOrigin {
  readonly workspace: Workspace
  readonly channel: string
  /** The click that opened the modal: the message that it came from shows the modal's result. */
  readonly openedBy?: ReplyTarget | undefined
}

/** Stored in a view's `private_metadata`, because its payload may name another workspace. */
export function writeOrigin({ workspace, channel, openedBy }: ViewOrigin, more: object = {}): string {
  const { teamId, enterpriseId } = workspace
  return JSON.stringify({ teamId, enterpriseId, channel, openedBy, ...more })
}

type WithMetadata = Readonly<Record<'private_metadata', string>>

export function readOrigin(view: WithMetadata): ViewOrigin {
  const { teamId, enterpriseId, ...origin } = readMetadata(view, originSchema)
  return { workspace: { teamId, enterpriseId }, ...origin }
}

export const readMetadata = <T>(view: WithMetadata, schema: z.ZodType<T>): T =>
  readValue(schema, view.private_metadata, "a view's private_metadata")
