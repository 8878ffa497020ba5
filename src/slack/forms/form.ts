import type { types } from '@slack/bolt'
import type { z } from 'zod'
import type { Action } from '../blocks/actions.ts'
import { LIMITS, plain } from '../blocks/blocks.ts'
import { parsePayload, type ViewPayload } from '../inbound/payloads.ts'

/** The elements of a form's inputs as Slack sends them, by block id. */
export type Entered = Readonly<Record<string, unknown>>

export interface FieldOptions<Value> {
  readonly label: string
  readonly hint?: string
  readonly isOptional?: boolean
  /** Runs when the value changes, to redraw the form. */
  readonly redraw?: Action<void> | undefined
  /** @param chosen the value so far, if the form is redrawn */
  element(id: string, chosen: unknown): types.InputBlock['element']
  readonly schema: z.ZodType<Value>
  validate?(value: Value): string | undefined
}

export class Field<Value> {
  readonly #options

  constructor(options: FieldOptions<Value>) {
    this.#options = options
  }

  checked(validate: (value: Value) => string | undefined): Field<Value> {
    return new Field({ ...this.#options, validate })
  }

  optional(): Field<Value | undefined> {
    const { schema, ...options } = this.#options
    return new Field<Value | undefined>({ ...options, schema: schema.optional(), isOptional: true })
  }

  input(id: string, chosen: unknown): types.InputBlock {
    const { label, hint, isOptional = false, redraw, element } = this.#options
    const block: types.InputBlock = {
      type: 'input',
      block_id: id,
      label: plain(label, LIMITS.inputLabel),
      element: element(redraw?.id ?? id, chosen),
    }
    if (isOptional) block.optional = true
    if (redraw) block.dispatch_action = true
    if (hint !== undefined) block.hint = plain(hint, LIMITS.inputLabel)
    return block
  }

  read(entered: unknown, what: string): { readonly value: Value; readonly error: string | undefined } {
    const value = parsePayload(this.#options.schema, entered, what)
    return { value, error: this.#options.validate?.(value) }
  }
}

export type Errors = Readonly<Record<string, string>>

type FormResult<Values> =
  | { readonly values: Values; readonly errors?: undefined }
  | { readonly values?: undefined; readonly errors: Errors }

/** Each block of a form has one element. */
export function enteredIn({ state }: ViewPayload): Entered {
  const entered: Record<string, unknown> = {}
  for (const [id, elements] of Object.entries(state?.values ?? {})) entered[id] = Object.values(elements)[0]
  return entered
}

type Fields<Values> = { readonly [Name in keyof Values]: Field<Values[Name]> }

export class Form<Values extends object> {
  readonly #fields: Fields<Values>

  /** @param fields by block id, in order */
  constructor(fields: Fields<Values>) {
    this.#fields = fields
  }

  /** @param entered the values so far, if the form is redrawn: Slack keeps the other inputs */
  inputs(entered: Entered = {}): types.InputBlock[] {
    const inputs: types.InputBlock[] = []
    for (const id in this.#fields) inputs.push(this.#fields[id].input(id, entered[id]))
    return inputs
  }

  /** @throws {ForgedValueError} */
  read(view: ViewPayload): FormResult<Values> {
    const entered = enteredIn(view)
    const errors: Record<string, string> = {}
    const values: Partial<Values> = {}
    for (const id in this.#fields) {
      const { value, error } = this.#fields[id].read(entered[id], `${id} of ${view.callback_id}`)
      if (error === undefined) values[id] = value
      else errors[id] = error
    }
    return this.#isComplete(values) ? { values } : { errors }
  }

  #isComplete(values: Partial<Values>): values is Values {
    return Object.keys(this.#fields).every((id) => Object.hasOwn(values, id))
  }
}
