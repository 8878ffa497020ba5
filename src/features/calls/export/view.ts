import type { types } from '@slack/bolt'
import type { Config } from '../../../config/config.ts'
import { callCount } from '../../../grammar/sentences.ts'
import {
  actionRow,
  type Block,
  context,
  escapeText,
  type Message,
  section,
} from '../../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../../slack/deliver/answer.ts'
import { describeFailure } from '../../../slack/deliver/failures.ts'
import { ReadingCutError } from '../../../telephony/errors.ts'
import { zoneLabel } from '../../../time/zones.ts'
import { numberText } from '../../../util/text.ts'
import { callsActions, exportActions } from '../actions.ts'
import { clockNote, emptyText } from '../words.ts'
import { ExportEndedError, type ExportSubject } from './subject.ts'

/** What fits a spreadsheet's million rows several times, and half an hour of the service's answers. */
export const mostCalls = 200_000

/** How an export stands, as its message shows it. */
export type ExportState =
  /** `isInLine`: other exports of the workspace come first. */
  | { readonly name: 'waiting'; readonly isInLine: boolean }
  | ({ readonly name: 'reading' | 'uploading' } & ExportProgress)
  /** `calls` in the file; `undefined` where nobody remembers. */
  | { readonly name: 'sent'; readonly calls: number | undefined }
  /** `restarting`: another process begins it again. `unconfirmed`: the file may have arrived, and Slack has no way to ask. */
  | { readonly name: 'cancelled' | 'restarting' | 'unconfirmed' | 'empty' }
  /** `kind` is for logs and metrics, `why` is mrkdwn, and what helps is the same again or fewer days. */
  | {
      readonly name: 'failed'
      readonly kind: string
      readonly why: string
      readonly offers: 'again' | 'dates' | undefined
    }

interface ExportProgress {
  readonly read: number
  /** As the service counts them. */
  readonly total: number | undefined
  /** A process had begun, and was stopped. */
  readonly isAgain: boolean
}

type Counted = Pick<ExportSubject, 'request' | 'total'>

/** `2,544 missed incoming calls, 9–15 Nov`. Not escaped. */
function exportedText({ request, total }: Counted): string {
  if (total === undefined) return request
  return `${numberText(total)} ${total === 1 ? request.replace('calls', 'call') : request}`
}

/** The same for mrkdwn. */
const what = (counted: Counted) => escapeText(exportedText(counted))

/** For the audit log. */
export const auditDetail = (counted: Counted, result: 'shared' | 'unknown'): string =>
  `${exportedText(counted)}${result === 'shared' ? '' : ', not confirmed by Slack'}`

/** Starts it once more: in its zone, whatever that of the conversation is where it is clicked. */
export const againButton = ({ query, zone }: Pick<ExportSubject, 'query' | 'zone'>) =>
  exportActions.again.button('Try again', { query: { ...query, page: 1 }, zone })

/** Opens the form of the list with those calls. */
const datesButton = ({ query }: ExportSubject) => callsActions.filter.button('Choose dates…', query)

/** What to do about too many calls. */
const fewerDays = 'Choose fewer days, then *Export CSV* under the list.'

const messageOf = (text: string, buttons: readonly types.Button[] = [], more: readonly Block[] = []) => ({
  text,
  blocks: [section(text), ...more, ...actionRow(buttons)],
})

const beginText = (subject: Counted, isInLine: boolean) =>
  isInLine
    ? `The export of ${what(subject)} is waiting: other exports of this workspace come first.`
    : `Exporting ${what(subject)}.`

// Where it is asked for.

/** @param total of what is read; `undefined` where the service doesn't tell */
export function startedAnswer(subject: Counted, isInLine: boolean, total: number | undefined): Answer {
  const isSearch = subject.total === undefined && total !== undefined
  const search = isSearch ? ` Searching ${callCount(total)}.` : ''
  const alone = 'The CSV file comes as a direct message from Callboard, to you only.'
  return textAnswer(`${beginText(subject, isInLine)}${search} ${alone}`)
}

export const nothingText = ({ query }: ExportSubject): string =>
  `Nothing to export. ${escapeText(emptyText(query))}`

/** @param total of what would have to be read */
export function tooManyAnswer(subject: ExportSubject, total: number): Answer {
  const does = subject.total === undefined ? 'search' : 'hold'
  const text = `Exports ${does} ${callCount(mostCalls)}; this range has ${numberText(total)}. ${fewerDays}`
  return { message: messageOf(text, [datesButton(subject)]) }
}

export const alreadyText = (subject: Counted): string =>
  `Already exporting ${what(subject)}. Progress is in the direct message from Callboard.`

export function tooManyWaitingAnswer(subject: ExportSubject): Answer {
  const text = 'Too many exports of this workspace are waiting. Try again when one is done.'
  return { message: messageOf(text, [againButton(subject)]) }
}

/** A button of what is over. */
export const overText = 'This export has already ended.'

/** Its direct message. Pure. */
export function exportMessage(subject: ExportSubject, state: ExportState): Message {
  const cancel = exportActions.cancel.button('Cancel', { id: subject.id })
  const again = againButton(subject)
  const request = escapeText(subject.request)
  switch (state.name) {
    case 'waiting':
      return messageOf(beginText(subject, state.isInLine), [cancel])
    case 'reading':
    case 'uploading': {
      const text = `Exporting ${what(subject)}.${state.isAgain ? ' It was interrupted and has started again.' : ''}`
      const { words, bar } = progressTexts(state)
      return { ...messageOf(text, [cancel], [context(`${bar}${words}`)]), text: `${text} ${words}.` }
    }
    case 'restarting':
      return messageOf(
        `Exporting ${what(subject)}. Callboard is restarting, so this starts again in a moment.`,
        [cancel],
      )
    case 'sent': {
      const { calls: total = subject.total } = state
      const { query, zone, askedAt } = subject
      const note = clockNote(query, zone, askedAt)
      const here = `Here ${total === 1 ? 'is' : 'are'} ${what({ ...subject, total })}.`
      const text = `${here} Times are in ${escapeText(zoneLabel(zone, askedAt))}.`
      return messageOf(text, [], note === undefined ? [] : [context(escapeText(note))])
    }
    case 'cancelled':
      return messageOf(`Export cancelled: ${request}. Nothing was sent or kept.`)
    case 'unconfirmed':
      return messageOf(
        `Slack didn't confirm that the file arrived (${request}). If it isn't below, try again.`,
        [again],
      )
    case 'empty':
      return messageOf(nothingText(subject))
    case 'failed': {
      const buttons = { again: [again], dates: [datesButton(subject)] }
      const text = `Export failed: ${request}. Nothing was sent. ${state.why}`
      return messageOf(text, state.offers && buttons[state.offers])
    }
  }
}

/** What can't be tried again, on our side. */
export const givenUpMessage = messageOf(
  'Export failed: something went wrong in Callboard. Nothing was sent. Export again.',
)

const barLength = 20

/** `4,700 of 12,544 calls read`, and before it `███████░░░░░░░░░░░░░ 37% · ` */
function progressTexts({ name, read, total }: Extract<ExportState, ExportProgress>) {
  const soFar =
    total === undefined ? `${callCount(read)} read` : `${numberText(read)} of ${callCount(total)} read`
  const words = name === 'uploading' ? `All ${callCount(read)} read; sending the file` : soFar
  if (total === undefined) return { words, bar: '' }
  // It is done when the file is there, and not before.
  const share = Math.min(0.99, read / Math.max(1, total))
  const full = Math.floor(share * barLength)
  const bar = `${'█'.repeat(full)}${'░'.repeat(barLength - full)} ${Math.floor(share * 100)}% · `
  return { words, bar }
}

/** Describes a failure to the person who asked. */
export function failedState(
  error: unknown,
  { reference, config }: { reference: string; config: Config },
): Extract<ExportState, { name: 'failed' }> {
  const failed = (kind: string, why: string, offers: 'again' | 'dates' | undefined) =>
    ({ name: 'failed', kind, why, offers }) as const
  if (error instanceof ExportEndedError)
    return failed(error.why, `It took more than an hour. ${fewerDays}`, 'dates')
  if (error instanceof ReadingCutError)
    return failed('too-many', `It holds more than ${callCount(mostCalls)}. ${fewerDays}`, 'dates')
  const { supportUrl } = config
  const { kind, text, offers } = describeFailure(error, { isAdmin: false, reference, supportUrl })
  return failed(kind, text, offers === 'retry' ? 'again' : undefined)
}
