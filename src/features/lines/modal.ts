import type { types } from '@slack/bolt'
import { z } from 'zod'
import { context, section } from '../../slack/blocks/blocks.ts'
import { MetadataModal } from '../../slack/blocks/inputs.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import { text } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import { LineNames, lineKey, type NamedLine } from '../../telephony/line-names.ts'

/** Beside its number, a name of that length fits a table's column. */
const NAME_LENGTH = 20
/** As many numbers fit the modal, and its metadata. */
const MOST_LINES = 60

const title = 'Name your lines'

const inputId = (index: number) => `line-${index}`

export const linesForm = new MetadataModal('calls.lines', z.object({ numbers: z.array(z.string()) }))

/** The numbers that are asked about: those that have a name first, each once. */
export function linesToName(names: LineNames, numbers: readonly string[]): readonly string[] {
  const byKey = new Map<string, string>()
  for (const number of [...names.lines.map((line) => line.number), ...numbers.toSorted()]) {
    const key = lineKey(number)
    if (key !== '' && !byKey.has(key)) byKey.set(key, number)
  }
  return [...byKey.values()].slice(0, MOST_LINES)
}

const formOf = (numbers: readonly string[], names: LineNames) =>
  new Form<Record<string, string>>(
    Object.fromEntries(
      numbers.map((number, index) => {
        const initial = names.nameOf(number)
        const field = text(number, {
          longest: NAME_LENGTH,
          initial,
          example: 'Sales Berlin',
          isOptional: true,
        })
        return [inputId(index), field]
      }),
    ),
  )

/** Asks for a name for each number. Pure. */
export function linesModal(
  team: Tenant,
  channel: string,
  { numbers, names }: { readonly numbers: readonly string[]; readonly names: LineNames },
): types.ModalView {
  if (numbers.length === 0) {
    const text =
      'I found no numbers: the phone service bills none, and nobody called one in the last 30 days. Try again once somebody has called.'
    return noticeModal(text, { title })
  }
  const metadata = { numbers: numbers.map((number) => number.slice(0, 24)) }
  return linesForm.view({ team, channel }, metadata, {
    title,
    submit: 'Save names',
    blocks: [
      section('A name stands beside its number in lists and reports, and `line:NAME` finds its calls.'),
      ...formOf(numbers, names).inputs(),
      context('These are the numbers you pay for, and those called in the last 30 days.'),
    ],
  })
}

const countText = (count: number) => (count === 1 ? '1 line has a name' : `${count} lines have names`)

export const savedModal = (count: number): types.ModalView =>
  noticeModal(`Saved. ${count === 0 ? 'No line has a name' : countText(count)} now.`, { title })

const ambiguousText = 'Another line has that name. Choose a different one.'
const wordlessText = 'Use a name with a letter in it, without quotes.'

/** @throws {ForgedValueError} */
export function readLines(
  view: ViewPayload,
): { readonly lines: readonly NamedLine[] } | { readonly errors: Readonly<Record<string, string>> } {
  const { numbers } = linesForm.read(view)
  const { values = {} } = formOf(numbers, LineNames.none).read(view)
  const errors: Record<string, string> = {}
  const taken = new Set<string>()
  const lines = numbers.flatMap((number, index) => {
    const name = (values[inputId(index)] ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, NAME_LENGTH)
    if (name === '') return []
    if (!/\p{L}/u.test(name) || /["“”„‟«»]/.test(name)) errors[inputId(index)] = wordlessText
    else if (taken.has(name.toLowerCase())) errors[inputId(index)] = ambiguousText
    taken.add(name.toLowerCase())
    return [{ number, name }]
  })
  return Object.keys(errors).length > 0 ? { errors } : { lines }
}
