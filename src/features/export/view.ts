import type { types } from '@slack/bolt'
import type { Config } from '../../config/config.ts'
import { isSearch } from '../../query/filters/call-filters.ts'
import { callCount, emptyListText, requestText } from '../../query/texts.ts'
import { context, escapeText, type Message, textMessage } from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { ReadLimitError } from '../../telephony/types.ts'
import { rangeZoneLabel, toRangeRequest } from '../../time/range-requests.ts'
import { localDay } from '../../time/zones.ts'
import { formatNumber } from '../../util/text.ts'
import { callsActions } from '../calls/actions.ts'
import { exportActions } from './actions.ts'
import type { ExportProgress, ExportRequest, ExportState } from './record.ts'

/** Fits a spreadsheet's million rows, and half an hour of reading. */
export const MAX_CALLS = 200_000

/** `missed calls, 9–15 Nov`. Not escaped. */
export const describeCalls = ({ query, zone, askedAt }: ExportRequest): string =>
  requestText(query, localDay(zone, new Date(askedAt)))

/** `2,544 missed calls, 9–15 Nov`. Not escaped. */
function describeWithCount(request: ExportRequest, count = request.total): string {
  const calls = describeCalls(request)
  if (count === undefined) return calls
  return `${formatNumber(count)} ${count === 1 ? calls.replace('calls', 'call') : calls}`
}

/** False if calls are left out while they are read: those that a search doesn't match, or of other days around a clock change. */
const isCounted = ({ query, zone, askedAt }: ExportRequest): boolean =>
  !isSearch(query) && toRangeRequest(zone, query, new Date(askedAt)).isExact

const escapedRequest = (request: ExportRequest): string =>
  escapeText(isCounted(request) ? describeWithCount(request) : describeCalls(request))

export const exportDetail = (request: ExportRequest, result: 'shared' | 'unknown'): string =>
  `${describeWithCount(request)}${result === 'shared' ? '' : ', not confirmed by Slack'}`

export const againButton = ({ query, zone }: ExportRequest): types.Button =>
  exportActions.again.button('Try again', { query, zone })

const datesButton = ({ query }: ExportRequest): types.Button =>
  callsActions.filter.button('Choose dates…', query)

const FEWER_DAYS = 'Choose fewer days, then *Export…* under the list.'

function startText(request: ExportRequest, isWaiting: boolean): string {
  const calls = escapedRequest(request)
  return isWaiting ? `The export of ${calls} is waiting for other exports to finish.` : `Exporting ${calls}.`
}

export function startedAnswer(request: ExportRequest, isWaiting: boolean): Answer {
  const { query, total } = request
  const search = !isSearch(query) || total === undefined ? '' : ` Searching ${callCount(total)}.`
  const file = "You'll get the CSV file in a direct message from Callboard."
  return textAnswer(`${startText(request, isWaiting)}${search} ${file}`)
}

export const nothingText = ({ query, zone, askedAt }: ExportRequest): string =>
  `Nothing to export. ${escapeText(emptyListText(query, localDay(zone, new Date(askedAt))))}`

export function tooManyAnswer(request: ExportRequest, total: number): Answer {
  const verb = isSearch(request.query) ? 'search' : 'hold'
  const text = `Exports ${verb} ${callCount(MAX_CALLS)}; this range has ${formatNumber(total)}. ${FEWER_DAYS}`
  return { message: textMessage(text, [datesButton(request)]) }
}

export const alreadyText = (request: ExportRequest): string =>
  `Already exporting ${escapedRequest(request)}. Progress is in the direct message from Callboard.`

/** Direct message of an export. */
export function exportMessage(request: ExportRequest, state: ExportState): Message {
  const calls = escapeText(describeCalls(request))
  switch (state.name) {
    case 'waiting':
    case 'reading':
    case 'uploading':
      return progressMessage(request, state)
    case 'sent':
      return sentMessage(request, state.calls)
    case 'cancelled':
      return textMessage(`Export cancelled: ${calls}. Nothing was sent or kept.`)
    case 'unconfirmed':
      return textMessage(
        `Slack didn't confirm that the file arrived (${calls}). If it isn't below, try again.`,
        [againButton(request)],
      )
    case 'empty':
      return textMessage(nothingText(request))
    case 'failed': {
      const buttons = { again: [againButton(request)], dates: [datesButton(request)] }
      const text = `Export failed: ${calls}. Nothing was sent. ${state.why}`
      return textMessage(text, state.offers && buttons[state.offers])
    }
  }
}

function sentMessage(request: ExportRequest, count: number): Message {
  const { query, zone } = request
  const askedAt = new Date(request.askedAt)
  const here = `Here ${count === 1 ? 'is' : 'are'} ${escapeText(describeWithCount(request, count))}.`
  const text = `${here} Times are in ${escapeText(rangeZoneLabel(zone, query, askedAt))}.`
  return textMessage(text)
}

const BAR_LENGTH = 20

/** `4,700 of 12,544 calls read`, after a bar: `███████░░░░░░░░░░░░░ 37% · ` */
function progressMessage(request: ExportRequest, state: ExportProgress): Message {
  const { name, read, total } = state
  const cancel = exportActions.cancel.button('Cancel', { id: request.id })
  const text = startText(request, name === 'waiting')
  if (name === 'waiting') return textMessage(text, [cancel])
  const soFar = total === undefined ? callCount(read) : `${formatNumber(read)} of ${callCount(total)}`
  const progress = name === 'uploading' ? `All ${callCount(read)} read; sending the file` : `${soFar} read`
  // 100% is for the file that has arrived.
  const share = total === undefined ? 0 : Math.min(0.99, read / Math.max(1, total))
  const bar = '█'.repeat(Math.floor(share * BAR_LENGTH)).padEnd(BAR_LENGTH, '░')
  const shown = total === undefined ? progress : `${bar} ${Math.floor(share * 100)}% · ${progress}`
  return { ...textMessage(text, [cancel], [context(shown)]), text: `${text} ${progress}.` }
}

export function toFailedState(
  error: unknown,
  { id }: ExportRequest,
  { supportUrl }: Config,
): Extract<ExportState, { name: 'failed' }> {
  if (error instanceof ReadLimitError) {
    const why = `That's too much for one file. ${FEWER_DAYS}`
    return { name: 'failed', kind: `too-much-${error.limit}`, why, offers: 'dates' }
  }
  const reference = id.slice(-8)
  const { kind, text, offer } = describeFailure(error, { isAdmin: false, reference, supportUrl })
  return { name: 'failed', kind, why: text, offers: offer === 'retry' ? 'again' : undefined }
}
