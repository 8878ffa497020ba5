import type { types } from '@slack/bolt'
import type { z } from 'zod'
import { LIMITS, plain } from './blocks.ts'
import { type ViewOrigin, writeOrigin } from './values.ts'

// Parts of the forms in modals. Values are read by their input's block id and action id.

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

/** Builds a modal with a form, or with text if it has no `submit`. @param view.origin for the actions in it */
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

/** Builds a modal whose metadata `readMetadata` reads with the same schema. Omits fields that the schema doesn't have. */
export const modalWithMetadata = <Metadata extends object>(
  schema: z.ZodType<Metadata>,
  view: ModalParts & { readonly id: string; readonly origin: ViewOrigin; readonly metadata: Metadata },
): types.ModalView => modal({ ...view, metadata: schema.parse(view.metadata) })
