import { type Block, section } from '../../slack/blocks/blocks.ts'
import { numberField, time, weekdays } from '../../slack/forms/fields.ts'
import { type Errors, Form } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { AlertHours, AlertRecord } from '../../store/alerts.ts'
import { LineNames, lineKey } from '../../telephony/lines.ts'
import { linesField } from '../calls/query-form.ts'
import { callerUnknownText } from '../calls/words.ts'
import { type FormAuthor, placeFields, readPlace } from '../subscriptions/place-fields.ts'

const MAX_CHOSEN_LINES = 60
const EVERY_DAY = 7
const DEFAULT_MINUTES = 10
const atAnyTime: AlertHours = { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' }

interface AlertFormContext {
  /** The alert being edited; undefined when creating. */
  readonly record: AlertRecord | undefined
  /** Preselected; empty for direct messages. */
  readonly channel: string
  readonly names: LineNames
}

function createAlertForm({ names, record, channel }: AlertFormContext) {
  const { calls = 1, minutes = DEFAULT_MINUTES } = record?.threshold ?? {}
  const hours = record?.hours ?? atAnyTime
  return new Form({
    ...placeFields(channel),
    lines: linesField(record?.lines ?? [], names, MAX_CHOSEN_LINES),
    calls: numberField('Post after how many missed calls?', { least: 1, most: 100, initial: calls }),
    minutes: numberField('Within how many minutes?', { least: 1, most: 60, initial: minutes }),
    from: time('From', hours.from, { hint: "In the channel's time zone." }),
    to: time('Until', hours.to, {
      hint: 'The same time means all day. An end before the start means the next day.',
    }),
    weekdays: weekdays('Days', hours.weekdays).checked((days) =>
      days.length === 0 ? 'Choose at least one day.' : undefined,
    ),
  })
}

export const alertBlocks = (context: AlertFormContext): readonly Block[] => [
  section(
    `The message says when a call was missed, and on which line. ${callerUnknownText} Calls missed within the next ten minutes join the same message.`,
  ),
  ...createAlertForm(context).inputs(),
]

export type AlertDraft = Pick<AlertRecord, 'channel' | 'lines' | 'threshold' | 'hours'>

/** Reads a submitted form; errors by block id. @throws {ForgedValueError} */
export function readAlert(
  view: ViewPayload,
  author: FormAuthor,
): { readonly draft: AlertDraft } | { readonly errors: Errors } {
  const { values, errors } = createAlertForm({ names: LineNames.none, record: undefined, channel: '' }).read(
    view,
  )
  if (!values) return { errors }
  const { calls, minutes, weekdays: days, from, to } = values
  const read = readPlace(values, author)
  if ('errors' in read) return read
  const lines = [...new Map(values.lines.map((line) => [lineKey(line), line])).values()]
  const threshold = calls === 1 ? undefined : { calls, minutes }
  const isAnyTime = days.length === EVERY_DAY && from === to
  const hours = isAnyTime ? undefined : { weekdays: days, from, to }
  return { draft: { channel: read.place, lines, threshold, hours } }
}
