import type { types } from '@slack/bolt'
import type { z } from 'zod'
import { LIMITS, plain } from './blocks.ts'
import { readMetadata, type ViewOrigin, writeOrigin } from './values.ts'

// Parts of the forms in modals. An input's block id and action id are what its value is read back by.

export const option = <V extends string = string>(text: string, value: V) => ({
  text: plain(text, LIMITS.optionText),
  value,
})
export type Option = ReturnType<typeof option>

export function select(
  id: string,
  options: readonly Option[],
  value: string | undefined,
): types.StaticSelect {
  const initial = options.find((one) => one.value === value)
  return {
    type: 'static_select',
    action_id: id,
    options: [...options],
    ...(initial ? { initial_option: initial } : {}),
  }
}

export const noticeId = 'notice'

interface ModalParts {
  readonly title: string
  readonly submit?: string
  readonly close?: string
  readonly blocks: types.ModalView['blocks']
}

/** A modal with a form, or without `submit` something to read. @param origin where it was opened, for what is done in it */
export const modal = (
  view: ModalParts & { readonly id: string; readonly origin?: ViewOrigin; readonly metadata?: object },
): types.ModalView => ({
  type: 'modal',
  callback_id: view.id,
  ...(view.origin
    ? { private_metadata: writeOrigin(view.origin.team, view.origin.channel, view.metadata) }
    : {}),
  title: plain(view.title, LIMITS.modalTitle),
  ...(view.submit === undefined ? {} : { submit: plain(view.submit, LIMITS.modalTitle) }),
  close: plain(view.close ?? (view.submit === undefined ? 'Close' : 'Cancel'), LIMITS.modalTitle),
  blocks: view.blocks,
})

/** A modal with more in its metadata than where it was opened: as an action is one thing with what rides in its button. */
export class MetadataModal<Metadata extends object> {
  readonly id
  readonly #schema

  constructor(id: string, schema: z.ZodType<Metadata>) {
    this.id = id
    this.#schema = schema
  }

  view(origin: ViewOrigin, metadata: Metadata, parts: ModalParts): types.ModalView {
    return modal({ id: this.id, origin, metadata: this.#schema.parse(metadata), ...parts })
  }

  read(view: { readonly private_metadata: string }): Metadata {
    return readMetadata(view, this.#schema)
  }
}
