import type { types } from '@slack/bolt'
import type { Config } from '../../config/config.ts'
import * as texts from '../../query/texts.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import { describeFailure } from '../../slack/deliver/failures.ts'
import { ReadLimitError } from '../../telephony/types.ts'
import { rangeZoneLabel } from '../../time/range-requests.ts'
import { localDay } from '../../time/zones.ts'
import { countNoun, formatNumber } from '../../util/text.ts'
import { callsActions } from '../calls/actions.ts'
import { exportActions } from './actions.ts'
import type { ExportRequest, ExportState } from './record.ts'

/** Fits a spreadsheet's million rows, and half an hour of reading. */
export const MAX_CALLS = 200_000

/** `missed calls, 9–15 Nov`. Not escaped. */
export const describeCalls = ({ query, zone, askedAt }: ExportRequest): string =>
  texts.requestText(query, localDay(zone, new Date(askedAt)))

/** `2,544 missed calls, 9–15 Nov`: the noun comes before any names. Not escaped. */
export function describeWithCount(request: ExportRequest, count: number): string {
  const calls = describeCalls(request)
  return `${formatNumber(count)} ${count === 1 ? calls.replace('calls', 'call') : calls}`
}

export const againButton = ({ query, zone }: ExportRequest): types.Button =>
  exportActions.again.button('Try again', { query, zone })

const FEWER_DAYS_HINT = 'Choose fewer days, then *Export…* under the list.'

const exportingText = (request: ExportRequest): string =>
  `Exporting ${blocks.escapeText(describeCalls(request))}.`

export const startedAnswer = (request: ExportRequest): Answer =>
  textAnswer(`${exportingText(request)} You'll get the CSV file in a direct message from Callboard.`)

export const nothingToExportText = ({ query, zone, askedAt }: ExportRequest): string =>
  `Nothing to export. ${blocks.escapeText(texts.noCallsText(query, localDay(zone, new Date(askedAt))))}`

export function tooManyAnswer(request: ExportRequest, total: number): Answer {
  const limit = countNoun(MAX_CALLS, 'call')
  const text = `An export reads up to ${limit}; this range has ${formatNumber(total)}. ${FEWER_DAYS_HINT}`
  const datesButton = callsActions.filter.button('Choose dates…', request.query)
  return { message: blocks.textMessage(text, [datesButton]) }
}

export const alreadyExportingText = (request: ExportRequest): string =>
  `Already exporting ${blocks.escapeText(describeCalls(request))}. Progress is in the direct message from Callboard.`

export function exportMessage(request: ExportRequest, state: ExportState): blocks.Message {
  const what = blocks.escapeText(describeCalls(request))
  const again = againButton(request)
  switch (state.name) {
    case 'reading':
      return progressMessage(request, state.calls)
    case 'sent':
      return sentMessage(request, state.calls)
    case 'cancelled':
      return blocks.textMessage(`Export cancelled: ${what}. Nothing was sent or kept.`)
    case 'unconfirmed': {
      const text = `Slack didn't confirm that the file arrived (${what}). If it isn't below, try again.`
      return blocks.textMessage(text, [again])
    }
    case 'empty':
      return blocks.textMessage(nothingToExportText(request))
    case 'failed': {
      const text = `Export failed: ${what}. Nothing was sent. ${state.why}`
      return blocks.textMessage(text, state.canRetry ? [again] : [])
    }
  }
}

function sentMessage(request: ExportRequest, count: number): blocks.Message {
  const { query, zone } = request
  const askedAt = new Date(request.askedAt)
  const here = `Here ${count === 1 ? 'is' : 'are'} ${describeWithCount(request, count)}.`
  const text = `${here} Times are in ${rangeZoneLabel(zone, query, askedAt)}.`
  return blocks.textMessage(blocks.escapeText(text))
}

/** Says `4,700 of 12,544 calls read`, or how many were read if the service doesn't count them. */
function progressMessage(request: ExportRequest, readCount: number): blocks.Message {
  const { id, total } = request
  const cancel = exportActions.cancel.button('Cancel', { id })
  const text = exportingText(request)
  let progress = `${countNoun(readCount, 'call')} read`
  if (total !== undefined) progress = `${formatNumber(readCount)} of ${countNoun(total, 'call')} read`
  const message = blocks.textMessage(text, [cancel], [blocks.context(progress)])
  // Notifications and screen readers get the text only.
  return { ...message, text: `${text} ${progress}.` }
}

type FailedState = Extract<ExportState, { name: 'failed' }>

export function toFailedState(error: unknown, { id }: ExportRequest, { supportUrl }: Config): FailedState {
  if (error instanceof ReadLimitError) {
    const why = `That's too much for one file. ${FEWER_DAYS_HINT}`
    return { name: 'failed', kind: `too-much-${error.limit}`, why, canRetry: false }
  }
  const reference = id.slice(-8)
  // The job doesn't know who is an administrator.
  const { kind, text, offer } = describeFailure(error, { isAdmin: false, reference, supportUrl })
  return { name: 'failed', kind, why: text, canRetry: offer === 'retry' }
}
