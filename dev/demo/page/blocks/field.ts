import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Choice, Named, Option } from '../../api-types.ts'
import { asList, asObject, asText, type Json, readText, toElementId } from './read.ts'

export interface Directory {
  readonly people: readonly Named[]
  readonly channels: readonly Named[]
}

/** A click on an element, or a choice in it. */
export interface ElementAction {
  readonly blockId: string
  readonly actionId: string
  readonly choose?: Choice
}

/** Context of the blocks on a surface; by default nothing happens. */
export const idle = {
  surface: 'message' as 'message' | 'modal' | 'home',
  /** Prefix of element ids, unique among the surfaces on the page. */
  scope: 'message',
  directory: { people: [], channels: [] } as Directory,
  /** `${block_id}/${action_id}` of the element that is waiting for its answer. */
  busy: undefined as string | undefined,
  onAction: (_action: ElementAction) => {},
  suggest: async (_search: { blockId: string; actionId: string; value: string }) => [] as readonly Option[],
  /** Changed inputs of a modal, by `${block_id}/${action_id}`. */
  values: new Map() as ReadonlyMap<string, Choice>,
  onValue: (_key: string, _value: Choice) => {},
  /** Errors under a modal's inputs, by block_id. */
  errors: {} as Readonly<Record<string, string>>,
}

export type BlockContextValue = Readonly<typeof idle>
export const BlockContext = createContext<BlockContextValue>(idle)
export const useBlockContext = (): BlockContextValue => useContext(BlockContext)

/** An element with its block. */
export interface FieldProps {
  readonly element: Json
  readonly blockId: string
  /** The element's input block, which keeps its value until the modal is submitted; without one, a choice is sent as a click. */
  readonly input?: Json
  /** Accessible name for an element without a label. */
  readonly label?: string
}

function toOption(value: Json): Option {
  const text = asObject(value['text'])
  return {
    text: { ...text, type: asText(text['type']), text: asText(text['text']) },
    value: asText(value['value']),
  }
}

/** Lists the options of a static select. */
export const listOptions = (element: Json): readonly Option[] => asList(element['options']).map(toOption)

/** Returns the initial value of an element. */
function readInitialValue(element: Json): Choice {
  const [, initial] = Object.entries(element).find(([name]) => name.startsWith('initial_')) ?? []
  if (Array.isArray(initial)) return initial.map((one) => asText(one) || asText(asObject(one)['value']))
  return typeof initial === 'object' ? toOption(asObject(initial)) : asText(initial) || null
}

/** Lists a modal's inputs with their values. */
export const listInputs = (blocks: readonly unknown[], values: ReadonlyMap<string, Choice>) =>
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
        value: value === undefined ? readInitialValue(element) : value,
      },
    ]
  })

/** Returns a field's value, setter and attributes. */
export function useField({ element, blockId, input, label }: FieldProps) {
  const { values, onValue, onAction, errors, busy, scope } = useBlockContext()
  const actionId = asText(element['action_id'])
  const key = `${blockId}/${actionId}`
  const changed = values.get(key)
  const isWrong = input !== undefined && errors[blockId] !== undefined
  const id = toElementId(scope, blockId, actionId)
  return {
    value: changed === undefined ? readInitialValue(element) : changed,
    change(choice: Choice) {
      if (input) onValue(key, choice)
      if (!input || input['dispatch_action'] === true) onAction({ blockId, actionId, choose: choice })
    },
    attributes: {
      id,
      'aria-label': input ? undefined : label || readText(element['placeholder']) || actionId,
      'aria-invalid': isWrong,
      'aria-describedby': input && `${id}-hint${isWrong ? ` ${id}-error` : ''}`,
      'aria-busy': busy === key,
    },
  }
}

/** Converts a value to text. */
export const asValue = (choice: Choice): string => {
  if (choice === null || typeof choice === 'string') return choice ?? ''
  return 'text' in choice ? (choice.value ?? '') : choice.map(asValue).join(',')
}

/** Returns the selected options of a multi-select; initial ones are found by their values. */
export function listSelected(choice: Choice, element: Json): readonly Option[] {
  if (choice === null || typeof choice === 'string') return []
  if ('text' in choice) return [choice]
  const before = asList(element['initial_options']).map(toOption)
  return choice.flatMap((one) =>
    typeof one === 'string' ? before.filter(({ value }) => value === one) : [one],
  )
}
