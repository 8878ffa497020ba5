import type { types } from '@slack/bolt'
import type { Config } from '../../config/config.ts'
import {
  actionRow,
  type Block,
  context,
  escapeText,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { type Answer, textAnswer } from '../../slack/deliver/replies.ts'
import { ReadingCutError } from '../../telephony/types.ts'
import { localDay, zoneLabel } from '../../time/zones.ts'
import { formatNumber } from '../../util/text.ts'
import { callsActions, exportActions } from '../calls/query.ts'
import { callCount, clockNote, emptyListText, requestText } from '../calls/words.ts'
import { ExportLimitError, MAX_CALLS } from './limits.ts'
import type { ExportRequest } from './record.ts'

/** State of an export as its message shows it. */
export type ExportState =
  | {
      readonly name: 'waiting' | 'reading' | 'uploading'
      readonly read: number
      readonly total?: number | undefined
    }
  | { readonly name: 'sent'; readonly calls: number }
  /** `unconfirmed`: Slack didn't say whether the file arrived. */
  | { readonly name: 'cancelled' | 'unconfirmed' | 'empty' }
  /** `kind` is for logs and metrics, `why` is mrkdwn. */
  | {
      readonly name: 'failed'
      readonly kind: string
      readonly why: string
      readonly offers: 'again' | 'dates' | undefined
    }

type ExportSubject = Pick<ExportRequest, 'query' | 'zone' | 'askedAt' | 'total'>

/** `missed calls, 9–15 Nov`. Not escaped. */
export const describeCalls = ({ query, zone, askedAt }: ExportSubject): string =>
  requestText(query, localDay(zone, new Date(askedAt)))

/** `2,544 missed calls, 9–15 Nov`. Not escaped. */
function describeWithCount(request: ExportSubject, count: number | undefined): string {
  const calls = describeCalls(request)
  if (count === undefined) return calls
  return `${formatNumber(count)} ${count === 1 ? calls.replace('calls', 'call') : calls}`
}

/** Escaped. Leaves out the count for a number search, where it is known only after reading all calls. */
const escapedRequest = (request: ExportSubject): string =>
  escapeText(describeWithCount(request, request.query.number === undefined ? request.total : undefined))

/** Detail of the audit entry. */
export const exportDetail = (request: ExportSubject, result: 'shared' | 'unknown'): string =>
  `${describeWithCount(request, request.total)}${result === 'shared' ? '' : ', not confirmed by Slack'}`

/** Starts the same export again, in its own time zone. */
export const againButton = ({ query, zone }: ExportSubject): types.Button =>
  exportActions.again.button('Try again', { query, zone })

/** Opens the list's filter form. */
const datesButton = ({ query }: ExportSubject): types.Button =>
  callsActions.filter.button('Choose dates…', query)

const FEWER_DAYS = 'Choose fewer days, then *Export…* under the list.'

const exportText = (text: string, buttons: readonly types.Button[] = [], more: readonly Block[] = []) => ({
  text,
  blocks: [section(text), ...more, ...actionRow(buttons)],
})

const startText = (request: ExportSubject, isWaiting: boolean): string =>
  isWaiting
    ? `The export of ${escapedRequest(request)} is waiting for other exports to finish.`
    : `Exporting ${escapedRequest(request)}.`

/** Reply where the export was requested. */
export function startedAnswer(request: ExportSubject, isWaiting: boolean): Answer {
  const { query, total } = request
  const search = query.number === undefined || total === undefined ? '' : ` Searching ${callCount(total)}.`
  const file = "You'll get the CSV file in a direct message from Callboard."
  return textAnswer(`${startText(request, isWaiting)}${search} ${file}`)
}

export const nothingText = ({ query, zone, askedAt }: ExportSubject): string =>
  `Nothing to export. ${escapeText(emptyListText(query, localDay(zone, new Date(askedAt))))}`

export function tooManyAnswer(request: ExportSubject, total: number): Answer {
  const verb = request.query.number === undefined ? 'hold' : 'search'
  const text = `Exports ${verb} ${callCount(MAX_CALLS)}; this range has ${formatNumber(total)}. ${FEWER_DAYS}`
  return { message: exportText(text, [datesButton(request)]) }
}

export const alreadyText = (request: ExportSubject): string =>
  `Already exporting ${escapedRequest(request)}. Progress is in the direct message from Callboard.`

export const endedText = 'This export has already ended.'

/** Direct message of an export. */
export function exportMessage(request: ExportRequest, state: ExportState): Message {
  const cancel = exportActions.cancel.button('Cancel', { id: request.id })
  const calls = escapeText(describeCalls(request))
  switch (state.name) {
    case 'waiting':
      return exportText(startText(request, true), [cancel])
    case 'reading':
    case 'uploading': {
      const text = startText(request, false)
      const { progress, bar } = progressTexts(state)
      return { ...exportText(text, [cancel], [context(`${bar}${progress}`)]), text: `${text} ${progress}.` }
    }
    case 'sent':
      return sentMessage(request, state.calls)
    case 'cancelled':
      return exportText(`Export cancelled: ${calls}. Nothing was sent or kept.`)
    case 'unconfirmed':
      return exportText(
        `Slack didn't confirm that the file arrived (${calls}). If it isn't below, try again.`,
        [againButton(request)],
      )
    case 'empty':
      return exportText(nothingText(request))
    case 'failed': {
      const buttons = { again: [againButton(request)], dates: [datesButton(request)] }
      const text = `Export failed: ${calls}. Nothing was sent. ${state.why}`
      return exportText(text, state.offers && buttons[state.offers])
    }
  }
}

function sentMessage(request: ExportSubject, count: number): Message {
  const { query, zone } = request
  const askedAt = new Date(request.askedAt)
  const note = clockNote(query, zone, askedAt)
  const here = `Here ${count === 1 ? 'is' : 'are'} ${escapeText(describeWithCount(request, count))}.`
  const text = `${here} Times are in ${escapeText(zoneLabel(zone, askedAt))}.`
  return exportText(text, [], note === undefined ? [] : [context(escapeText(note))])
}

const BAR_LENGTH = 20

/** Builds the text `4,700 of 12,544 calls read`, and the bar in front of it: `███████░░░░░░░░░░░░░ 37% · `. */
function progressTexts({ name, read, total }: Extract<ExportState, { read: number }>) {
  const soFar =
    total === undefined ? `${callCount(read)} read` : `${formatNumber(read)} of ${callCount(total)} read`
  const progress = name === 'uploading' ? `All ${callCount(read)} read; sending the file` : soFar
  if (total === undefined) return { progress, bar: '' }
  // 100% is for the file that has arrived.
  const share = Math.min(0.99, read / Math.max(1, total))
  const full = Math.floor(share * BAR_LENGTH)
  const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_LENGTH - full)} ${Math.floor(share * 100)}% · `
  return { progress, bar }
}

/** Converts an error to the state that explains it to the person. */
export function toFailedState(
  error: unknown,
  { reference, config }: { reference: string; config: Config },
): Extract<ExportState, { name: 'failed' }> {
  const failed = (kind: string, why: string, offers: 'again' | 'dates' | undefined) =>
    ({ name: 'failed', kind, why, offers }) as const
  if (error instanceof ExportLimitError) {
    const why = error.limit === 'too-slow' ? 'It took more than an hour.' : 'The file would be too large.'
    return failed(error.limit, `${why} ${FEWER_DAYS}`, 'dates')
  }
  if (error instanceof ReadingCutError)
    return failed('too-many', `It holds more than ${callCount(MAX_CALLS)}. ${FEWER_DAYS}`, 'dates')
  const { supportUrl } = config
  const { kind, text, offers } = describeFailure(error, { isAdmin: false, reference, supportUrl })
  return failed(kind, text, offers === 'retry' ? 'again' : undefined)
}
