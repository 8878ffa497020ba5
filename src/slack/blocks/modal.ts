import type { types } from '@slack/bolt'
import type { z } from 'zod'
import { LIMITS, plain } from './blocks.ts'
import { type ViewOrigin, writeOrigin } from './view-metadata.ts'

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
