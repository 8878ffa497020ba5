import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Action } from '../blocks/action.ts'
import { LIMITS, plain } from '../blocks/blocks.ts'
import { parsePayload, type ViewPayload } from '../inbound/payloads.ts'

// A form is declared once: each field builds its input and reads its value.

type Entered = Readonly<Record<string, unknown>>

export interface FieldOptions<Value> {
  readonly label: string
  readonly hint?: string
  readonly isOptional?: boolean
  /** Initial value, if other fields depend on it. */
  readonly initial?: string | undefined
  /** Action that redraws the form after a choice. */
  readonly redraw?: Action<void> | undefined
  /** @param chosen the value so far, if the form is redrawn */
  element(id: string, chosen: unknown): types.InputBlock['element']
  readonly schema: z.ZodType<Value>
  errorOf?(value: Value): string | undefined
}

interface Condition {
  readonly field: string
  readonly is: string
}

export class Field<Value> {
  readonly initial
  readonly condition: Condition | undefined
  readonly isOffered: boolean
  readonly #options

  constructor(options: FieldOptions<Value>, condition?: Condition, isOffered = true) {
    this.#options = options
    this.initial = options.initial
    this.condition = condition
    this.isOffered = isOffered
  }

  checked(errorOf: (value: Value) => string | undefined): Field<Value> {
    return new Field({ ...this.#options, errorOf }, this.condition, this.isOffered)
  }

  /** Shows the field if another field has that value. */
  shownIf(field: string, is: string): Field<Value | undefined> {
    return new Field<Value | undefined>(this.#orNothing(), { field, is })
  }

  /** Hides the field in some forms, which still read it. */
  offeredIf(isOffered: boolean): Field<Value | undefined> {
    return new Field<Value | undefined>(this.#orNothing(), undefined, isOffered)
  }

  /** Makes the input optional. */
  optional(): Field<Value | undefined> {
    const options = this.#orNothing()
    return new Field<Value | undefined>({ ...options, isOptional: true, schema: options.schema.optional() })
  }

  #orNothing(): FieldOptions<Value | undefined> {
    const { errorOf, ...options } = this.#options
    return { ...options, errorOf: (value) => (value === undefined ? undefined : errorOf?.(value)) }
  }

  input(id: string, chosen: unknown): types.InputBlock {
    const { label, hint, isOptional = false, redraw, element } = this.#options
    return {
      type: 'input',
      block_id: id,
      ...(isOptional ? { optional: true } : {}),
      ...(redraw ? { dispatch_action: true } : {}),
      label: plain(label, LIMITS.inputLabel),
      ...(hint === undefined ? {} : { hint: plain(hint, LIMITS.inputLabel) }),
      element: element(redraw?.id ?? id, chosen),
    }
  }

  read(entered: unknown, what: string): { readonly value: Value; readonly error: string | undefined } {
    const value = parsePayload(this.#options.schema, entered, what)
    return { value, error: this.#options.errorOf?.(value) }
  }
}

export type Errors = Readonly<Record<string, string>>

/** `isIncomplete`: the form was submitted before the inputs for its choices appeared. */
type FormResult<Values> =
  | { readonly values: Values; readonly errors?: undefined }
  | { readonly values?: undefined; readonly errors: Errors; readonly isIncomplete: boolean }

/** Returns the values of a view's inputs by block id. */
export const enteredIn = ({ state }: ViewPayload): Entered =>
  Object.fromEntries(
    Object.entries(state?.values ?? {}).map(([id, actions]) => [id, Object.values(actions)[0]]),
  )

export class Form<Values extends object> {
  readonly #fields: ReadonlyMap<string, Field<unknown>>

  /** @param fields by block id, in order */
  constructor(fields: { readonly [Name in keyof Values]: Field<Values[Name]> }) {
    this.#fields = new Map(Object.entries<Field<unknown>>(fields))
  }

  #isAsked({ condition }: Field<unknown>, entered: Entered): boolean {
    if (!condition) return true
    return (entered[condition.field] ?? this.#fields.get(condition.field)?.initial) === condition.is
  }

  /** @param entered the values so far, if the form is redrawn: Slack keeps the other inputs */
  inputs(entered: Entered = {}): types.InputBlock[] {
    return [...this.#fields]
      .filter(([, field]) => field.isOffered && this.#isAsked(field, entered))
      .map(([id, field]) => field.input(id, entered[id]))
  }

  /** Returns the submitted values, or errors by field. @throws {ForgedValueError} */
  read(view: ViewPayload): FormResult<Values> {
    const entered = enteredIn(view)
    const errors: Record<string, string> = {}
    const values: Record<string, unknown> = {}
    for (const [id, field] of this.#fields) {
      if (!this.#isAsked(field, entered)) continue
      if (field.condition && !(id in entered)) return { errors, isIncomplete: true }
      if (!field.isOffered && !(id in entered)) continue
      const { value, error } = field.read(entered[id], `${id} of ${view.callback_id}`)
      values[id] = value
      if (error !== undefined) errors[id] = error
    }
    if (Object.keys(errors).length > 0) return { errors, isIncomplete: false }
    // Each field's schema has checked its value.
    return { values: parsePayload(z.custom<Values>(), values, `the values of ${view.callback_id}`) }
  }
}
