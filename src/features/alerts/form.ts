import { z } from 'zod'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import { readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import { type AlertRecord, alertHours } from '../../store/alerts.ts'
import { type LineNames, lineKey } from '../../telephony/line-names.ts'
import { CALLS, type Choices, choicesOf, MINUTES, MOST_AGENTS, MOST_LINES } from './modal.ts'

const choices = z.object({
  channel: z.string().optional(),
  when: z.enum(['each', 'several']).optional(),
  hours: z.enum(['always', 'chosen']).optional(),
})

const form = choices.required().extend({
  channel: z.string().min(1),
  lines: z.array(z.string()).default([]),
  numbers: z.string().default(''),
  agents: z.array(z.string()).default([]),
  calls: z.string().optional(),
  minutes: z.string().optional(),
  weekdays: z.array(z.string()).optional(),
  from: z.string().optional(),
  to: z.string().optional(),
})
type Values = z.infer<typeof form>

/** What is chosen so far, in a form that was not submitted yet. @throws {ForgedValueError} */
export function readChoices(view: ViewPayload, alert: AlertRecord | undefined): Choices {
  const { channel = '', when, hours } = readForm(view, choices)
  const initial = choicesOf(alert, '')
  return { channel, when: when ?? initial.when, hours: hours ?? initial.hours }
}

export const MESSAGES = {
  lines: `Choose ${MOST_LINES} lines at most.`,
  agents: `Choose ${MOST_AGENTS} agents at most.`,
  calls: `Write a whole number from ${CALLS.least} to ${CALLS.most}.`,
  minutes: `Write a whole number from ${MINUTES.least} to ${MINUTES.most}.`,
  weekdays: 'Choose at least one day.',
} as const

export const notANumber = (written: string): string =>
  `"${written}" isn't a phone number. Write it with the country code: +44 20 7946 0042.`

/** As few digits as a line is found by, and as many as a number has. */
const isNumber = (text: string) =>
  /^\+?[\d\s()./-]+$/.test(text) && /^\d{4,15}$/.test(text.replaceAll(/\D/g, ''))

/** What is kept of it, and which agents are still to be looked up. */
type ReadAlert = Pick<AlertRecord, 'channel' | 'lines' | 'threshold' | 'hours'> & {
  readonly agentIds: readonly string[]
}

type Errors = Partial<Record<string, string>>

/** The numbers as the service writes them, as far as anybody knows; each once. @throws {ForgedValueError} */
function readLines({ lines, numbers }: Values, names: LineNames, errors: Errors): string[] {
  const written = numbers.split(/[,;\n]/).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
  const wrong = written.find((number) => !isNumber(number))
  if (wrong !== undefined) errors['numbers'] = notANumber(wrong.slice(0, 40))
  const named = new Map(names.lines.map(({ number }) => [lineKey(number), number]))
  // A line may have lost its name since the form was opened.
  if (lines.some((number) => !named.has(lineKey(number)) && !isNumber(number)))
    throw new ForgedValueError('a line')
  const all = new Map(
    [...lines, ...written].map((number) => [
      lineKey(number),
      named.get(lineKey(number)) ?? number.replaceAll(/[^+\d]/g, ''),
    ]),
  )
  if (all.size > MOST_LINES) errors['numbers'] = MESSAGES.lines
  return [...all.values()]
}

function readCount(
  id: 'calls' | 'minutes',
  written: string | undefined,
  { least, most }: { readonly least: number; readonly most: number },
  errors: Errors,
): number {
  const count = /^\d{1,4}$/.test(written?.trim() ?? '') ? Number(written) : Number.NaN
  if (!(count >= least && count <= most)) errors[id] = MESSAGES[id]
  return count
}

function readHours({ weekdays = [], from = '', to = '' }: Values, errors: Errors) {
  if (weekdays.length === 0) errors['weekdays'] = MESSAGES.weekdays
  if (errors['weekdays'] !== undefined) return undefined
  const hours = alertHours.safeParse({ weekdays: weekdays.map(Number).toSorted((a, b) => a - b), from, to })
  if (!hours.success) throw new ForgedValueError("an alert's hours", { cause: hours.error })
  return hours.data
}

/**
 * What a submitted form asks for; errors by the inputs' block ids; `incomplete` where it was submitted before the inputs
 * were there that its choices ask for.
 * @throws {ForgedValueError}
 */
export function readAlert(
  view: ViewPayload,
  names: LineNames,
): { readonly plan: ReadAlert } | { readonly errors: Readonly<Record<string, string>> } | 'incomplete' {
  const values = readForm(view, form)
  const { channel, when, agents, calls, minutes } = values
  const shown = view.state?.values ?? {}
  if (when === 'several' && !('calls' in shown)) return 'incomplete'
  if (values.hours === 'chosen' && !('weekdays' in shown)) return 'incomplete'
  const errors: Record<string, string> = {}
  const lines = readLines(values, names, errors)
  if (agents.length > MOST_AGENTS) errors['agents'] = MESSAGES.agents
  const threshold =
    when === 'several'
      ? {
          calls: readCount('calls', calls, CALLS, errors),
          minutes: readCount('minutes', minutes, MINUTES, errors),
        }
      : undefined
  const hours = values.hours === 'chosen' ? readHours(values, errors) : undefined
  if (Object.keys(errors).length > 0) return { errors }
  return { plan: { channel, lines, threshold, hours, agentIds: [...new Set(agents)] } }
}
