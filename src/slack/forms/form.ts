import type { types } from '@slack/bolt'
import type { z } from 'zod'
import type { Action } from '../blocks/actions.ts'
import { LIMITS, plain } from '../blocks/blocks.ts'
import { parsePayload, type ViewPayload } from '../inbound/payloads.ts'

/** Entries in the inputs of a form, unchecked, by block id. */
export type Entered = Readonly<Record<string, unknown>>

export interface Field<Value> {
  readonly label: string
  readonly hint?: string
  readonly isOptional?: boolean
  /** Runs when the value changes, to redraw the form. */
  readonly redraw?: Action<void> | undefined
  element(id: string): types.InputBlock['element']
  readonly schema: z.ZodType<Value>
  validate?(value: Value): string | undefined
}

/** Infers the type of the value. */
export const createField = <Value>(field: Field<Value>): Field<Value> => field

export const optionalField = <Value>(field: Field<Value>): Field<Value | undefined> => ({
  ...field,
  schema: field.schema.optional(),
  isOptional: true,
})

function toInput(id: string, field: Field<unknown>): types.InputBlock {
  const { label, hint, isOptional = false, redraw } = field
  const block: types.InputBlock = {
    type: 'input',
    block_id: id,
    label: plain(label, LIMITS.inputLabel),
    // A change sends the element's id as that of an action.
    element: field.element(redraw?.id ?? id),
  }
  if (isOptional) block.optional = true
  if (redraw) block.dispatch_action = true
  if (hint !== undefined) block.hint = plain(hint, LIMITS.inputLabel)
  return block
}

export type Errors = Readonly<Record<string, string>>

export type FormResult<Values> =
  | { readonly values: Values; readonly errors?: undefined }
  | { readonly values?: undefined; readonly errors: Errors }

/** Each block of a form has one element. */
export function readEntered({ state }: ViewPayload): Entered {
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

  /** If the form is redrawn, Slack keeps what was entered. */
  buildInputs(): types.InputBlock[] {
    const inputs: types.InputBlock[] = []
    for (const id in this.#fields) inputs.push(toInput(id, this.#fields[id]))
    return inputs
  }

  /** @throws {ForgedValueError} */
  read(view: ViewPayload): FormResult<Values> {
    const entered = readEntered(view)
    const errors: Record<string, string> = {}
    const values: Partial<Values> = {}
    for (const id in this.#fields) {
      const field = this.#fields[id]
      const value = parsePayload(field.schema, entered[id], `${id} of ${view.callback_id}`)
      const error = field.validate?.(value)
      if (error === undefined) values[id] = value
      else errors[id] = error
    }
    return this.#isComplete(values) ? { values } : { errors }
  }

  /** A field without an error has a value, although that of an optional one may be `undefined`. */
  #isComplete(values: Partial<Values>): values is Values {
    return Object.keys(this.#fields).every((id) => Object.hasOwn(values, id))
  }
}
