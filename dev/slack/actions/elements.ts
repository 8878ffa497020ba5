import { type Block, type Element, type Json, type Option, parseElement, parseOption } from '../shapes.ts'

/** A person's input: text, an option's value or text, an id, several of them, or null for nothing. */
export type Choice = string | readonly (string | Option)[] | Option | null

interface BlockElement {
  readonly block: Block
  readonly element: Element
}

export function elementsIn(blocks: readonly Block[]): BlockElement[] {
  return blocks.flatMap((block) => {
    const own = block.type === 'actions' ? (block.elements ?? []) : [block.accessory, block.element]
    return own.flatMap((element) =>
      element === undefined ? [] : [{ block, element: parseElement(element) }],
    )
  })
}

export const hasIds = ({ block, element }: BlockElement, actionId: string, blockId?: string): boolean =>
  element.action_id === actionId && (blockId === undefined || block.block_id === blockId)

/** @throws Error that lists the existing elements, if there is no such element */
export function findElement(blocks: readonly Block[], actionId: string, blockId?: string): BlockElement {
  const all = elementsIn(blocks)
  const found = all.find((one) => hasIds(one, actionId, blockId))
  if (found !== undefined) return found
  const actionIds = all.map(({ element }) => element.action_id).join(', ')
  throw new Error(`nothing to click with the action_id ${actionId}; there is: ${actionIds || 'nothing'}`)
}

export type StateValues = Readonly<Record<string, Readonly<Record<string, Json>>>>

/**
 * Returns `state.values` of a message or view.
 *
 * @param choices by action_id or block_id
 * @param entered earlier input, by `stateKey`
 */
export function stateValues(
  blocks: readonly Block[],
  choices: Readonly<Record<string, Choice>> = {},
  entered: ReadonlyMap<string, Json> = new Map(),
): StateValues {
  const values: Record<string, Record<string, Json>> = {}
  for (const { block, element } of elementsIn(blocks)) {
    const { block_id: blockId = '' } = block
    const { action_id: actionId = '' } = element
    if (!isStateful(element)) continue
    const choice = choices[actionId] ?? choices[blockId]
    const isCleared = choices[actionId] === null || choices[blockId] === null
    const value =
      choice === undefined || choice === null
        ? isCleared
          ? emptyValue(element)
          : (entered.get(stateKey(blockId, actionId)) ?? initialValue(element))
        : chosenValue(element, choice)
    values[blockId] = { ...values[blockId], [actionId]: value }
  }
  return values
}

/** Buttons and overflow menus keep no value. */
export function isStateful(element: Element): boolean {
  return element.type !== 'button' && element.type !== 'overflow'
}

export function stateKey(blockId: string, actionId: string): string {
  return `${blockId}/${actionId}`
}

/** Fields of an element's value and of its initial value. */
const fields: Readonly<Record<string, readonly [value: string, initial: string]>> = {
  plain_text_input: ['value', 'initial_value'],
  number_input: ['value', 'initial_value'],
  datepicker: ['selected_date', 'initial_date'],
  timepicker: ['selected_time', 'initial_time'],
  conversations_select: ['selected_conversation', 'initial_conversation'],
  static_select: ['selected_option', 'initial_option'],
  external_select: ['selected_option', 'initial_option'],
  overflow: ['selected_option', ''],
  checkboxes: ['selected_options', 'initial_options'],
  multi_external_select: ['selected_options', 'initial_options'],
  multi_users_select: ['selected_users', 'initial_users'],
}

function getValueFields(element: Element): readonly [string, string] {
  const names = fields[element.type]
  if (names === undefined) throw new Error(`${element.type} takes no value`)
  return names
}

export function isEmpty(value: Json): boolean {
  return Object.entries(value).every(
    ([key, one]) => key === 'type' || one === null || one === '' || (Array.isArray(one) && one.length === 0),
  )
}

function emptyValue(element: Element): Json {
  const [field] = getValueFields(element)
  return { type: element.type, [field]: isMulti(field) ? [] : null }
}

function initialValue(element: Element): Json {
  const [field, initial] = getValueFields(element)
  return { ...emptyValue(element), ...(element[initial] === undefined ? {} : { [field]: element[initial] }) }
}

/** @throws Error if Slack wouldn't offer that choice */
function chosenValue(element: Element, choice: Exclude<Choice, null>): Json {
  const [field] = getValueFields(element)
  const one = (single: string | Option) =>
    field.startsWith('selected_option') ? pickOption(element, single) : plain(element, single)
  if (isMulti(field)) {
    const choices = isList(choice) ? choice : [choice]
    return { type: element.type, [field]: choices.map(one) }
  }
  if (isList(choice)) throw new Error(`${element.type} takes one value`)
  return { type: element.type, [field]: one(choice) }
}

function pickOption(element: Element, choice: string | Option): Option {
  if (typeof choice !== 'string') return parseOption(choice)
  // An external select lists only the options that were already chosen.
  const options = [...(element.options ?? []), ...(element.initial_options ?? [])]
  const found = options.find((option) => option.value === choice || option.text.text === choice)
  if (found !== undefined) return found
  const names = options.map((option) => option.value ?? option.text.text).join(', ')
  throw new Error(
    `no option ${choice} in ${element.action_id}; there is: ${names || 'nothing (give an option)'}`,
  )
}

function plain(element: Element, choice: string | Option): string {
  if (typeof choice !== 'string') throw new Error(`${element.type} takes text`)
  if (element.max_length !== undefined && choice.length > element.max_length) {
    throw new Error(`Slack doesn't accept more than ${element.max_length} characters in ${element.action_id}`)
  }
  return choice
}

function isMulti(field: string): boolean {
  return field.endsWith('s')
}

function isList(choice: Choice): choice is readonly (string | Option)[] {
  return Array.isArray(choice)
}

export function createAction(
  { block, element }: BlockElement,
  choice: Choice | undefined,
  actionTs: string,
): Json {
  const common = { action_id: element.action_id, block_id: block.block_id, action_ts: actionTs }
  if (element.type === 'button') {
    const { text, value, style, url } = element
    return withoutUndefined({ type: 'button', ...common, text, value, style, url })
  }
  if (choice === undefined) throw new Error(`say what is chosen in ${element.action_id}`)
  return { ...common, ...(choice === null ? emptyValue(element) : chosenValue(element, choice)) }
}

function withoutUndefined(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
}
