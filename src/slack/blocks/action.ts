import type { types } from '@slack/bolt'
import type { z } from 'zod'
import { numberText } from '../../util/text.ts'
import { type Block, button, confirmation, LIMITS, plain } from './blocks.ts'
import { type Option, option } from './inputs.ts'
import { ForgedValueError, readValue } from './values.ts'

// What can be clicked is one thing: its id and what rides in it. A view makes its button of it, and the routes of its
// feature bind it to a handler. Ids stand in messages that people have kept: a new one would make their buttons useless.

interface Clicked {
  readonly block_id: string
  readonly value?: string | undefined
  readonly selected_option?: { readonly value: string } | null | undefined
}

export interface Action<Value> {
  /** An action id, or what several begin with where it ends in a dot. */
  readonly id: string
  readonly chosen?: string
  /** What rides in it. @throws {ForgedValueError} for anything that this app did not put there */
  read(clicked: Clicked): Value
}

type Style = 'primary' | 'danger'

export class PlainAction implements Action<undefined> {
  readonly id
  readonly chosen?: string

  constructor(id: string, chosen?: string) {
    this.id = id
    if (chosen !== undefined) this.chosen = chosen
  }

  read(): undefined {}

  button(text: string, style?: Style): types.Button {
    return button(this.id, text, undefined, style)
  }
}

/** A value rides in its button as JSON, or in the option that is chosen. */
export class ValueAction<Value> implements Action<Value> {
  readonly id
  readonly #schema

  constructor(id: string, schema: z.ZodType<Value>) {
    this.id = id
    this.#schema = schema
  }

  read({ value, selected_option }: Clicked): Value {
    return readValue(this.#schema, value ?? selected_option?.value, this.id)
  }

  /** One of those that begin with this id. */
  named(name: string): ValueAction<Value> {
    return new ValueAction(`${this.id}${name}`, this.#schema)
  }

  button(text: string, value: Value, style?: Style): types.Button {
    return button(this.id, text, JSON.stringify(value), style)
  }

  option(text: string, value: Value): Option {
    return option(text, JSON.stringify(value))
  }
}

/**
 * A menu: the id of its block carries what an option's value is too short for, which its entries lead to.
 * @param schema of what rides in the block's id
 * @param shorten leaves out what can be looked up, where it would be too long
 */
export class MenuAction<Value> implements Action<Value> {
  readonly id
  readonly #schema
  readonly #shorten

  constructor(id: string, schema: z.ZodType<Value>, shorten = (value: Value) => value) {
    this.id = id
    this.#schema = schema
    this.#shorten = shorten
  }

  /** @param nonce fresh on every replacement */
  blockId(value: Value, nonce: string): string {
    const written = (own: Value) => `${this.id}|${nonce}|${JSON.stringify(own)}`
    const whole = written(value)
    return whole.length <= LIMITS.blockId ? whole : written(this.#shorten(value))
  }

  read({ block_id }: Clicked): Value {
    const [id, nonce = '', ...value] = block_id.split('|')
    if (id !== this.id || !/^[\w-]*$/.test(nonce)) throw new ForgedValueError(this.id)
    return readValue(this.#schema, value.join('|'), this.id)
  }

  entry(name: string): Action<Value> {
    return { id: this.id, chosen: name, read: (clicked) => this.read(clicked) }
  }
}

export function action(id: string): PlainAction
export function action<Value>(id: string, schema: z.ZodType<Value>): ValueAction<Value>
export function action<Value>(id: string, schema?: z.ZodType<Value>) {
  return schema ? new ValueAction(id, schema) : new PlainAction(id)
}

type Entry = readonly [action: Action<unknown>, text: string]

export const overflow = (first: Entry, ...more: readonly Entry[]): types.Overflow => ({
  type: 'overflow',
  action_id: first[0].id,
  options: [first, ...more].map(([{ chosen = '' }, text]) => option(text, chosen)),
})

/**
 * A menu that deletes what it stands beside. Asks first: what an overflow menu asks holds for each of its options, so that
 * this one has no other.
 * @param menu.what in the middle of a sentence: `alert` @param menu.consequence what no longer happens then, a sentence
 */
export const deleteMenu = <Value>(
  ofDelete: ValueAction<Value>,
  value: Value,
  { what, consequence }: { readonly what: string; readonly consequence: string },
): types.Overflow => {
  const [title, text] = [`Delete this ${what}?`, `${consequence} This can't be undone.`]
  return {
    type: 'overflow',
    action_id: ofDelete.id,
    options: [ofDelete.option(`Delete ${what}…`, value)],
    confirm: { ...confirmation(title, text, `Delete ${what}`, 'Cancel'), style: 'danger' },
  }
}

interface Pages {
  /** From 1; it may lie beyond the last one. */
  readonly page: number
  readonly last: number | undefined
  readonly next: number | undefined
}

type Step = readonly [name: string, text: string, page: number]

/** First, previous, next and last; those that lead nowhere are left out. */
function stepsFrom({ page, last, next }: Pages): readonly Step[] {
  if (last !== undefined && page > last)
    return [...(last > 1 ? [['last', 'Last page', last] as const] : []), ['first', 'First page', 1]]
  return [
    ...(page > 1
      ? ([
          ['first', 'First', 1],
          ['previous', 'Previous', page - 1],
        ] as const)
      : []),
    ...(next === undefined ? [] : [['next', 'Next', next] as const]),
    ...(next === undefined || last === undefined ? [] : [['last', 'Last', last] as const]),
  ]
}

/** Those steps' buttons, and none where there is no step. */
export function pagingRow<Value>(
  list: Pages & {
    /** What the buttons begin with, such as `calls.page.`. */
    readonly action: ValueAction<Value>
    readonly valueFor: (page: number) => Value
    readonly nonce: string
  },
): Block[] {
  const { action, valueFor, nonce } = list
  const elements = stepsFrom(list).map(([name, text, page]) =>
    action.named(name).button(text, valueFor(page)),
  )
  const blockId = `${action.id.replace(/page\.$/, 'paging')}|${nonce}`
  return elements.length > 0 ? [{ type: 'actions', block_id: blockId, elements }] : []
}

export const beyondLastText = (last: number): string => `This list ends at page ${numberText(last)}.`

/**
 * A tool of Slackbot's, as buttons call it: Slack takes what rides in one for the tool's arguments.
 * @see https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses
 */
export class ToolAction<Args extends object> {
  readonly tool
  readonly input

  constructor(tool: string, input: z.ZodObject & z.ZodType<Args>) {
    this.tool = tool
    this.input = input
  }

  /** A block of its own: an id may stand in it once. None where the arguments are too long to ride in it. */
  row(text: string, args: Args): Block[] {
    const value = JSON.stringify(args)
    if (value.length > LIMITS.buttonValue) return []
    return [{ type: 'actions', elements: [button(`tool:${this.tool}`, text, value)] }]
  }

  /** A menu in a block of its own. None where one of its options is too short for its arguments. */
  menu(text: string, choices: readonly (readonly [text: string, args: Args])[]): Block[] {
    const options = choices.map(([own, args]) => option(own, JSON.stringify(args)))
    if (options.length === 0 || options.some(({ value }) => value.length > LIMITS.toolOptionValue)) return []
    const placeholder = plain(text, LIMITS.placeholder)
    const menu = { type: 'static_select', action_id: `tool:${this.tool}`, placeholder, options } as const
    return [{ type: 'actions', elements: [menu] }]
  }

  paging(pages: Pages, argsFor: (page: number) => Args): Block[] {
    return stepsFrom(pages).flatMap(([, text, page]) => this.row(text, argsFor(page)))
  }
}
