import type { Choice, Option } from '../../api-types.ts'
import { useBlockContext } from './block-context.ts'
import { asList, asObject, asText, idOf, type Json, textOf } from './read.ts'

/** What an element is in: an input block with its label and error, or a row of things to click. */
export interface FieldProps {
  readonly element: Json
  readonly blockId: string
  /** In an input block: what is chosen is kept until the modal is submitted. Otherwise choosing is a click. */
  readonly isInput: boolean
  /** In an input block: what is chosen is told to the app at once, too. */
  readonly dispatches?: boolean
  /** May be left empty again. */
  readonly isOptional?: boolean
  /** For what has no label of its own. */
  readonly label?: string | undefined
}

export function toOption(value: Json): Option {
  const text = asObject(value['text'])
  const type = asText(text['type'])
  return { text: { ...text, type, text: asText(text['text']) }, value: asText(value['value']) }
}

/** The options of a static select, its groups' ones in a row. */
export const optionsOf = (element: Json): readonly Option[] =>
  (element['options'] === undefined
    ? asList(element['option_groups']).flatMap((group) => asList(group['options']))
    : asList(element['options'])
  ).map(toOption)

function initialOf(element: Json): Choice {
  const { initial_option: option, initial_options: options } = element
  if (option !== undefined) return toOption(asObject(option))
  if (options !== undefined) return asList(options).map((one) => asText(one['value']))
  const names = [
    'value',
    'date',
    'time',
    'user',
    'conversation',
    'channel',
    'users',
    'conversations',
    'channels',
  ]
  const initial = names.map((name) => element[`initial_${name}`]).find((one) => one !== undefined)
  return Array.isArray(initial) ? initial.map(asText) : initial === undefined ? null : asText(initial)
}

/** What a field holds, and what to do with a choice. */
export function useField({ element, blockId, isInput, dispatches = false, label }: FieldProps) {
  const { values, onValue, onAction, errors, busy, scope } = useBlockContext()
  const actionId = asText(element['action_id'])
  const key = `${blockId}/${actionId}`
  const changed = values.get(key)
  const error = isInput ? errors[blockId] : undefined
  const id = idOf(scope, blockId, actionId)
  const described = [
    ...(isInput ? [`${id}-hint`] : []),
    ...(error === undefined ? [] : [`${id}-error`]),
  ].join(' ')
  return {
    id,
    value: changed === undefined ? initialOf(element) : changed,
    /** @param isTyping whether more may follow: the app is told at the end */
    change(choice: Choice, { isTyping = false } = {}) {
      if (isInput) onValue(key, choice)
      if (!isTyping && (!isInput || dispatches)) onAction({ blockId, actionId, choose: choice })
    },
    attributes: {
      id,
      'aria-label': isInput ? undefined : label || textOf(element['placeholder']) || actionId,
      'aria-invalid': error !== undefined,
      'aria-describedby': described || undefined,
      'aria-busy': busy === key,
    },
  }
}

/** The text that stands for a choice in a text field. */
export const asValue = (choice: Choice): string => {
  if (choice === null) return ''
  if (typeof choice === 'string') return choice
  return 'text' in choice ? (choice.value ?? '') : choice.map(asValue).join(',')
}

/** What several options are chosen of, with their texts: those that were chosen before are known by their values. */
export function severalOf(choice: Choice, element: Json): readonly Option[] {
  if (choice === null || typeof choice === 'string') return []
  if ('text' in choice) return [choice]
  const before = asList(element['initial_options']).map(toOption)
  return choice.flatMap((one) =>
    typeof one === 'string' ? before.filter(({ value }) => value === one) : [one],
  )
}
