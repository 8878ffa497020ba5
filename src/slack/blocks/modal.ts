import type { types } from '@slack/bolt'
import { z } from 'zod'
import { workspaceSchema } from '../../store/tenant.ts'
import { readValue } from './actions.ts'
import { LIMITS, plain } from './blocks.ts'

/** For modals whose `callback_id` nothing reads, because they can't be submitted. */
export const messageModalId = 'notice'

interface ModalParts {
  readonly id: string
  readonly origin?: ViewOrigin
  readonly title: string
  readonly submit?: string
  readonly close?: string
  readonly blocks: types.ModalView['blocks']
}

export function modal(parts: ModalParts & { readonly metadata?: object }): types.ModalView {
  const { id, origin, metadata, title, submit, blocks } = parts
  const close = parts.close ?? (submit === undefined ? 'Close' : 'Cancel')
  const view: types.ModalView = {
    type: 'modal',
    callback_id: id,
    title: plain(title, LIMITS.modalTitle),
    close: plain(close, LIMITS.modalTitle),
    blocks,
  }
  if (origin) view.private_metadata = writeOrigin(origin, metadata)
  if (submit !== undefined) view.submit = plain(submit, LIMITS.modalTitle)
  return view
}

/** Omits fields of the metadata that the schema doesn't have. */
export const modalWithMetadata = <Metadata extends object>(
  schema: z.ZodType<Metadata>,
  view: ModalParts & { readonly origin: ViewOrigin; readonly metadata: Metadata },
): types.ModalView => modal({ ...view, metadata: schema.parse(view.metadata) })

/** The message that was clicked, where an answer can still be shown half an hour later. */
const replyTargetSchema = z.object({
  responseUrl: z.string().optional(),
  channel: z.string(),
  message: z.string(),
  /** Slack's `action_ts`: seconds with six decimals. */
  actionTs: z.string(),
})
export type ReplyTarget = Readonly<z.infer<typeof replyTargetSchema>>

export const originSchema = z.object({
  workspace: workspaceSchema,
  channel: z.string(),
  /** The click that opened the modal: the message that it came from shows the modal's result. */
  openedBy: replyTargetSchema.optional(),
})
export type ViewOrigin = Readonly<z.infer<typeof originSchema>>

/** Stored in a view's `private_metadata`, because its payload may name another workspace. */
export const writeOrigin = ({ workspace, channel, openedBy }: ViewOrigin, more: object = {}): string =>
  JSON.stringify({ workspace, channel, openedBy, ...more })

export const readMetadata = <T>(view: { readonly private_metadata: string }, schema: z.ZodType<T>): T =>
  readValue(schema, view.private_metadata, "a view's private_metadata")
