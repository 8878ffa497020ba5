import type { types } from '@slack/bolt'
import type { z } from 'zod'
import { button, LIMITS, option } from './blocks.ts'

/** A button, menu or view contains a value that this version of the app didn't write. */
export class ForgedValueError extends Error {
  override readonly name = 'ForgedValueError'

  constructor(what: string, options?: ErrorOptions) {
    super(`not recognized: ${what}`, options)
  }
}

/** @param what for the log, without the value @throws {ForgedValueError} */
export function readValue<T>(schema: z.ZodType<T>, value: string | undefined, what: string): T {
  try {
    return schema.parse(JSON.parse(value ?? ''))
  } catch (cause) {
    throw new ForgedValueError(what, { cause })
  }
}

// Posted messages keep the ids of actions: a changed id breaks their buttons.

interface Clicked {
  readonly block_id: string
  readonly value?: string | undefined
  readonly selected_option?: { readonly value: string } | null | undefined
}

export interface Action<Value> {
  /** An action id, or a prefix of several that ends in a dot. */
  readonly id: string
  /** The chosen entry of a menu. */
  readonly chosen?: string
  /** @throws {ForgedValueError} for values that this app did not write */
  read(clicked: Clicked): Value
}

export class ButtonAction<Value = void> implements Action<Value> {
  readonly id
  readonly read

  constructor(id: string, read: (clicked: Clicked) => Value) {
    this.id = id
    this.read = read
  }

  /** For an action whose id is a prefix. */
  named(name: string): ButtonAction<Value> {
    return new ButtonAction(`${this.id}${name}`, this.read)
  }

  button(text: string, value: Value, style?: 'primary' | 'danger'): types.Button {
    return button(this.id, text, value === undefined ? undefined : JSON.stringify(value), style)
  }
}

export function action(id: string): ButtonAction
export function action<Value>(id: string, schema: z.ZodType<Value>): ButtonAction<Value>
export function action<Value>(id: string, schema?: z.ZodType<Value>) {
  if (!schema) return new ButtonAction<void>(id, () => {})
  return new ButtonAction(id, ({ value, selected_option }) =>
    readValue(schema, value ?? selected_option?.value, id),
  )
}

export const menuEntry = (id: string, chosen: string): Action<void> => ({ id, chosen, read() {} })

/**
 * Menu whose value is in the id of its block, from `getBlockId`, because option values hold only 150 characters.
 * @param shorten returns the values to try instead of one that is too long, in this order
 */
export class MenuAction<Value> {
  readonly id
  readonly #schema
  readonly #shorten

  constructor(id: string, schema: z.ZodType<Value>, shorten: (value: Value) => readonly Value[] = () => []) {
    this.id = id
    this.#schema = schema
    this.#shorten = shorten
  }

  /** @param nonce unique for each replacement of a message @throws {RangeError} if the value is too long */
  getBlockId(value: Value, nonce: string): string {
    const blockId = this.findBlockId(value, nonce)
    if (blockId === undefined) throw new RangeError(`the block_id of ${this.id} is too long`)
    return blockId
  }

  /** Returns undefined if the value is too long: then there can be no menu. */
  findBlockId(value: Value, nonce: string): string | undefined {
    for (const candidate of [value, ...this.#shorten(value)]) {
      const blockId = `${this.id}|${nonce}|${JSON.stringify(candidate)}`
      if (blockId.length <= LIMITS.blockId) return blockId
    }
    return undefined
  }

  read({ block_id }: Clicked): Value {
    const [id, nonce = '', ...valueParts] = block_id.split('|')
    if (id !== this.id || !/^[\w-]*$/.test(nonce)) throw new ForgedValueError(this.id)
    return readValue(this.#schema, valueParts.join('|'), this.id)
  }

  entry(name: string): Action<Value> {
    return { id: this.id, chosen: name, read: (clicked) => this.read(clicked) }
  }
}

type Entry = readonly [action: Action<unknown>, text: string]

/** All entries of a menu have the same id. */
export const overflow = (first: Entry, ...more: readonly Entry[]): types.Overflow => ({
  type: 'overflow',
  action_id: first[0].id,
  options: [first, ...more].map(([{ chosen = '' }, text]) => option(text, chosen)),
})
