import type { Choice, Option } from '../../api-types.ts'
import { useBlockContext } from './block-context.ts'
import { asList, asObject, asText, idOf, type Json, textOf } from './read.ts'

/** What an element is in: an input block with its label and error, or a row of things to click. */
export interface FieldProps {
  readonly element: Json
  readonly blockId: string
  /** The block that it is the input of: what is chosen is kept until the modal is submitted. Otherwise choosing is a click. */
  readonly input?: Json
  /** For what has no label of its own. */
  readonly label?: string
}

export function toOption(value: Json): Option {
  const text = asObject(value['text'])
  return {
    text: { ...text, type: asText(text['type']), text: asText(text['text']) },
    value: asText(value['value']),
  }
}

/** The options of a static select, its groups' ones in a row. */
export const optionsOf = (element: Json): readonly Option[] =>
  [element, ...asList(element['option_groups'])].flatMap((group) => asList(group['options']).map(toOption))

/** What an element holds before anybody touched it. */
function initialOf(element: Json): Choice {
  const [, initial] = Object.entries(element).find(([name]) => name.startsWith('initial_')) ?? []
  if (Array.isArray(initial)) return initial.map((one) => asText(one) || asText(asObject(one)['value']))
  return typeof initial === 'object' ? toOption(asObject(initial)) : asText(initial) || null
}

/** A modal's inputs with what is in them. */
export const inputsOf = (blocks: readonly unknown[], values: ReadonlyMap<string, Choice>) =>
  blocks.map(asObject).flatMap((block) => {
    if (block['type'] !== 'input') return []
    const [blockId, element] = [asText(block['block_id']), asObject(block['element'])]
    const key = `${blockId}/${asText(element['action_id'])}`
    const value = values.get(key)
    return [
      {
        blockId,
        key,
        isOptional: block['optional'] === true,
        value: value === undefined ? initialOf(element) : value,
      },
    ]
  })

/** What a field holds, and what to do with a choice. */
export function useField({ element, blockId, input, label }: FieldProps) {
  const { values, onValue, onAction, errors, busy, scope } = useBlockContext()
  const actionId = asText(element['action_id'])
  const key = `${blockId}/${actionId}`
  const changed = values.get(key)
  const isWrong = input !== undefined && errors[blockId] !== undefined
  const id = idOf(scope, blockId, actionId)
  return {
    value: changed === undefined ? initialOf(element) : changed,
    change(choice: Choice) {
      if (input) onValue(key, choice)
      if (!input || input['dispatch_action'] === true) onAction({ blockId, actionId, choose: choice })
    },
    attributes: {
      id,
      'aria-label': input ? undefined : label || textOf(element['placeholder']) || actionId,
      'aria-invalid': isWrong,
      'aria-describedby': input && `${id}-hint${isWrong ? ` ${id}-error` : ''}`,
      'aria-busy': busy === key,
    },
  }
}

/** The text that stands for a choice in a text field. */
export const asValue = (choice: Choice): string => {
  if (choice === null || typeof choice === 'string') return choice ?? ''
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
