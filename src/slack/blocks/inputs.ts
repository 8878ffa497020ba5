import type { types } from '@slack/bolt'
import { LIMITS, plain } from './blocks.ts'

// Parts of the forms in modals. An input's block id and action id are what its value is read back by.

export const option = <V extends string = string>(text: string, value: V) => ({
  text: plain(text, LIMITS.optionText),
  value,
})
export type Option = ReturnType<typeof option>

/** An input with its label. */
export function input(
  id: string,
  label: string,
  element: types.InputBlock['element'],
  more: { readonly hint?: string; readonly isOptional?: boolean } = {},
): types.InputBlock {
  return {
    type: 'input',
    block_id: id,
    ...(more.isOptional ? { optional: true } : {}),
    label: plain(label, LIMITS.inputLabel),
    ...(more.hint === undefined ? {} : { hint: plain(more.hint, LIMITS.inputLabel) }),
    element,
  }
}

/** A menu that shows the option with this value. */
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

/** A modal with a form, or without `submit` something to read. */
export const modal = (view: {
  readonly id: string
  readonly metadata?: string
  readonly title: string
  readonly submit?: string
  readonly close?: string
  readonly blocks: types.ModalView['blocks']
}): types.ModalView => ({
  type: 'modal',
  callback_id: view.id,
  ...(view.metadata === undefined ? {} : { private_metadata: view.metadata }),
  title: plain(view.title, LIMITS.modalTitle),
  ...(view.submit === undefined ? {} : { submit: plain(view.submit, LIMITS.modalTitle) }),
  close: plain(view.close ?? (view.submit === undefined ? 'Close' : 'Cancel'), LIMITS.modalTitle),
  blocks: view.blocks,
})
