import type { types } from '@slack/bolt'
import { z } from 'zod'
import { timeOfDaySchema } from '../../store/workspaces.ts'
import { type LocalDay, parseDay, weekdayNames } from '../../time/days.ts'
import type { Action } from '../blocks/actions.ts'
import { LIMITS, type Option, option, plain, select } from '../blocks/blocks.ts'
import { parsePayload, type ViewPayload } from '../inbound/payloads.ts'

type Entered = Readonly<Record<string, unknown>>

interface FieldOptions<Value> {
  readonly label: string
  readonly hint?: string
  readonly isOptional?: boolean
  /** Initial value, if other fields depend on it. */
  readonly initial?: string | undefined
  readonly redraw?: Action<void> | undefined
  /** @param chosen the value so far, if the form is redrawn */
  element(id: string, chosen: unknown): types.InputBlock['element']
  readonly schema: z.ZodType<Value>
  validate?(value: Value): string | undefined
}

interface Condition {
  readonly field: string
  readonly is: string
}

export class Field<Value> {
  readonly initial
  readonly condition: Condition | undefined
  readonly #options

  constructor(options: FieldOptions<Value>, condition?: Condition) {
    this.#options = options
    this.initial = options.initial
    this.condition = condition
  }

  checked(validate: (value: Value) => string | undefined): Field<Value> {
    return new Field({ ...this.#options, validate }, this.condition)
  }

  shownIf(field: string, is: string): Field<Value | undefined> {
    return new Field<Value | undefined>(this.#orNothing(), { field, is })
  }

  optional(): Field<Value | undefined> {
    const options = this.#orNothing()
    return new Field<Value | undefined>({ ...options, isOptional: true, schema: options.schema.optional() })
  }

  #orNothing(): FieldOptions<Value | undefined> {
    const { validate, ...options } = this.#options
    return { ...options, validate: (value) => (value === undefined ? undefined : validate?.(value)) }
  }

  input(id: string, chosen: unknown): types.InputBlock {
    const { label, hint, isOptional = false, redraw, element } = this.#options
    return {
      type: 'input',
      block_id: id,
      ...(isOptional && { optional: true }),
      ...(redraw && { dispatch_action: true }),
      label: plain(label, LIMITS.inputLabel),
      ...(hint !== undefined && { hint: plain(hint, LIMITS.inputLabel) }),
      element: element(redraw?.id ?? id, chosen),
    }
  }

  read(entered: unknown, what: string): { readonly value: Value; readonly error: string | undefined } {
    const value = parsePayload(this.#options.schema, entered, what)
    return { value, error: this.#options.validate?.(value) }
  }
}

export type Errors = Readonly<Record<string, string>>

/** `isIncomplete`: the form was submitted before the inputs for its choices appeared. */
type FormResult<Values> =
  | { readonly values: Values; readonly errors?: undefined }
  | { readonly values?: undefined; readonly errors: Errors; readonly isIncomplete: boolean }

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
      .filter(([, field]) => this.#isAsked(field, entered))
      .map(([id, field]) => field.input(id, entered[id]))
  }

  /** @throws {ForgedValueError} */
  read(view: ViewPayload): FormResult<Values> {
    const entered = enteredIn(view)
    const errors: Record<string, string> = {}
    const values: Record<string, unknown> = {}
    for (const [id, field] of this.#fields) {
      if (!this.#isAsked(field, entered)) continue
      if (field.condition && !(id in entered)) return { errors, isIncomplete: true }
      const { value, error } = field.read(entered[id], `${id} of ${view.callback_id}`)
      values[id] = value
      if (error !== undefined) errors[id] = error
    }
    if (Object.keys(errors).length > 0) return { errors, isIncomplete: false }
    // Each field's schema has checked its value.
    return { values: parsePayload(z.custom<Values>(), values, `the values of ${view.callback_id}`) }
  }
}

type About = Pick<FieldOptions<unknown>, 'hint' | 'isOptional' | 'redraw'>
export const joinHint = 'Callboard joins a public channel. In a private one, type /invite @Callboard first.'
const chosenChannelSchema = z.string().catch('')

/** Channel that isn't shared with another company. @param initial may be empty */
export const channelField = (initial: string, about: About = {}) =>
  new Field({
    label: 'Channel',
    hint: 'Callboard must be a member: type /invite @Callboard there.',
    ...about,
    schema: z.string().regex(/^[CDG][A-Z0-9]{1,40}$/),
    element(id, chosen): types.ConversationsSelect {
      const channel = chosenChannelSchema.parse(chosen) || initial
      return {
        type: 'conversations_select',
        action_id: id,
        filter: { include: ['public', 'private'], exclude_external_shared_channels: true },
        ...(channel !== '' && { initial_conversation: channel }),
      }
    },
  })

/** @param texts by value */
export const choice = <Value extends string>(
  label: string,
  texts: Readonly<Record<Value, string>>,
  initial: NoInfer<Value>,
  about: About = {},
) => {
  const options = Object.entries<string>(texts).map(([value, text]) => option(text, value))
  const isValue = (value: string): value is Value => Object.hasOwn(texts, value)
  return new Field<Value>({
    label,
    ...about,
    initial,
    schema: z.string().default(initial).refine(isValue),
    element: (id, chosen) => select(id, options, z.string().catch(initial).parse(chosen)),
  })
}

export const numberField = (
  label: string,
  { min, max, initial }: { readonly min: number; readonly max: number; readonly initial: number },
) =>
  new Field({
    label,
    schema: z
      .string()
      .default('')
      .transform((written) => (/^\d{1,4}$/.test(written.trim()) ? Number(written) : Number.NaN)),
    validate: (count) =>
      count >= min && count <= max ? undefined : `Enter a whole number from ${min} to ${max}.`,
    element: (id): types.NumberInput => ({
      type: 'number_input',
      action_id: id,
      is_decimal_allowed: false,
      min_value: String(min),
      max_value: String(max),
      initial_value: String(initial),
    }),
  })

const checkboxes = (id: string, options: readonly Option[], initial: readonly string[]): types.Checkboxes => {
  const ticked = options.filter(({ value }) => initial.includes(value))
  return {
    type: 'checkboxes',
    action_id: id,
    options: [...options],
    ...(ticked.length > 0 && { initial_options: ticked }),
  }
}

export const checkboxesField = <Value extends string>(
  label: string,
  schema: z.ZodType<Value>,
  options: readonly Option[],
  initial: readonly Value[],
  about: About = {},
) =>
  new Field({
    label,
    isOptional: true,
    ...about,
    schema: z.array(schema).default([]),
    element: (id) => checkboxes(id, options, initial),
  })

const weekdayOptions = weekdayNames.map((name, index) => option(name, String(index + 1)))
const weekdaySchema = z
  .string()
  .regex(/^[1-7]$/)
  .transform(Number)

export const weekdays = (label: string, initial: readonly number[], about: About = {}) =>
  new Field({
    label,
    ...about,
    schema: z
      .array(weekdaySchema)
      .default([])
      .transform((days) => days.toSorted((a, b) => a - b)),
    element: (id) => checkboxes(id, weekdayOptions, initial.map(String)),
  })

export const time = (label: string, initial: string, about: About = {}) =>
  new Field({
    label,
    ...about,
    schema: timeOfDaySchema,
    element: (id): types.Timepicker => ({ type: 'timepicker', action_id: id, initial_time: initial }),
  })

export const day = (label: string, initial: LocalDay | undefined, { isOptional = false } = {}) =>
  new Field({
    label,
    isOptional,
    schema: z.string().transform(parseDay).optional(),
    validate: (chosen) => (chosen === undefined && !isOptional ? 'Enter a date.' : undefined),
    element: (id): types.Datepicker => ({
      type: 'datepicker',
      action_id: id,
      ...(initial !== undefined && { initial_date: initial }),
    }),
  })

/** Line of text, trimmed; may be empty if the field is optional. */
export const text = (
  label: string,
  {
    maxLength,
    initial = '',
    example,
    ...about
  }: About & {
    readonly maxLength?: number
    readonly initial?: string | undefined
    readonly example?: string
  },
) =>
  new Field({
    label,
    ...about,
    schema: z
      .string()
      .default('')
      .transform((written) => written.trim()),
    validate: (written) => (written === '' && !about.isOptional ? 'Enter a value.' : undefined),
    element: (id): types.PlainTextInput => ({
      type: 'plain_text_input',
      action_id: id,
      ...(maxLength !== undefined && { max_length: maxLength }),
      ...(example !== undefined && { placeholder: plain(example, LIMITS.placeholder) }),
      ...(initial !== '' && { initial_value: initial }),
    }),
  })

/** Refuses guests and bots on submission, since Slack has no filter for them. */
export const people = (label: string, initial: readonly string[], about: About = {}) =>
  new Field({
    label,
    ...about,
    schema: z.array(z.string()).default([]),
    element: (): types.MultiUsersSelect => ({
      type: 'multi_users_select',
      action_id: 'people',
      max_selected_items: 50,
      ...(initial.length > 0 && { initial_users: [...initial] }),
    }),
  })
