import type { Config } from '../../../config/config.ts'
import { callCount } from '../../../grammar/sentences.ts'
import { FileRefusedError } from '../../../slack/api/files.ts'
import {
  actionRow,
  type Block,
  context,
  escapeText,
  type Message,
  section,
} from '../../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../../slack/deliver/answer.ts'
import { describeFailure, fileRefusal } from '../../../slack/deliver/failures.ts'
import { ReadingCutError, ScanInterruptedError } from '../../../telephony/errors.ts'
import { numberText } from '../../../util/text.ts'
import { callsActions, exportActions } from '../actions.ts'
import { emptyText } from '../words.ts'
import type { ExportSubject } from './subject.ts'

/** What fits a spreadsheet's million rows several times, and half an hour of the service's answers. */
export const mostCalls = 200_000

/** How an export stands, as its message shows it. */
export type ExportState =
  /** @param isInLine whether other exports of the workspace come first */
  | { readonly name: 'waiting'; readonly isInLine: boolean }
  | ({ readonly name: 'reading' | 'uploading' } & ExportProgress)
  /** @param calls in the file; `undefined` where nobody remembers */
  | { readonly name: 'sent'; readonly calls: number | undefined }
  | { readonly name: 'cancelled' }
  /** The process stops, and another one begins it again. */
  | { readonly name: 'restarting' }
  /** The file may have arrived: Slack has no way to ask. */
  | { readonly name: 'unconfirmed' }
  /** None of the calls that were read is one of those. */
  | { readonly name: 'empty' }
  | {
      readonly name: 'failed'
      /** For logs and metrics. */
      readonly kind: string
      /** mrkdwn. */
      readonly why: string
      /** What helps: the same once more, or fewer days. */
      readonly offers: 'again' | 'dates' | undefined
    }

interface ExportProgress {
  /** How many calls were read. */
  readonly read: number
  /** As the service counts them. */
  readonly total: number | undefined
  /** A process had begun, and was stopped. */
  readonly isAgain: boolean
}

type Counted = Pick<ExportSubject, 'request' | 'total'>

/** `2,544 missed incoming calls, 9–15 Nov`. Not escaped. */
export function exportedText({ request, total }: Counted): string {
  if (total === undefined) return request
  return `${numberText(total)} ${total === 1 ? request.replace('calls', 'call') : request}`
}

/** The same for mrkdwn. */
const what = (counted: Counted) => escapeText(exportedText(counted))

/** For the audit log. @param total `undefined` where it isn't known */
export const auditDetail = (counted: Counted, result: 'shared' | 'unknown'): string =>
  `${exportedText(counted)}${result === 'shared' ? '' : ', not confirmed by Slack'}`

/** Starts it once more: in its zone, whatever that of the conversation is where it is clicked. */
export const againButton = ({ query, zone }: Pick<ExportSubject, 'query' | 'zone'>) =>
  exportActions.again.button('Try again', { query: { ...query, page: 1 }, zone })

/** Opens the form of the list with those calls. */
const datesButton = ({ query }: Pick<ExportSubject, 'query'>) =>
  callsActions.filter.button('Choose dates…', query)

/** What to do about too many calls. */
const fewerDays = 'Choose fewer days, and then Export… under the list.'

const beginText = (subject: Counted, isInLine: boolean) =>
  isInLine
    ? `The export of ${what(subject)} is in line: other exports of this workspace come first.`
    : `Exporting ${what(subject)}.`

type Buttons = Parameters<typeof actionRow>[0]

const withBlocks = (text: string, more: readonly Block[], buttons: Buttons): Message => ({
  text,
  blocks: [section(text), ...more, ...actionRow(buttons)],
})

// Where it is asked for.

/** @param total of what is read; `undefined` where the service doesn't tell */
export function startedAnswer(subject: Counted, isInLine: boolean, total: number | undefined): Answer {
  const isSearch = subject.total === undefined && total !== undefined
  const search = isSearch ? ` I read ${callCount(total)} to find them.` : ''
  const alone = 'The CSV file comes as a direct message from Callboard; nobody else gets it.'
  return textAnswer(`${beginText(subject, isInLine)}${search} ${alone}`)
}

export const nothingText = ({ query }: Pick<ExportSubject, 'query'>): string =>
  `There is nothing to export. ${escapeText(emptyText(query))}`

/** More than an export may read. @param total of what would have to be read */
export function tooManyAnswer(subject: ExportSubject, total: number): Answer {
  const many =
    subject.total === undefined
      ? `To find ${what(subject)}, I'd have to read ${callCount(total)}`
      : `That's ${what(subject)}`
  const text = `${many}, and an export takes ${numberText(mostCalls)} at most. Nothing was exported. ${fewerDays}`
  return { message: withBlocks(text, [], [datesButton(subject)]) }
}

/** The same calls, for the same person, are being exported. */
export const alreadyText = (subject: Counted): string =>
  `You're exporting ${what(subject)} already. The direct message from Callboard says how far it is.`

/** As many exports wait as may. */
export function tooManyWaitingAnswer(subject: ExportSubject): Answer {
  const text =
    'Too many exports of this workspace are waiting, so this one was not started. Try again when one of them is done.'
  return { message: withBlocks(text, [], [againButton(subject)]) }
}

/** A button of what is over. */
export const overText = 'This export is over already.'

// Its direct message.

/** Pure. */
export function exportMessage(subject: ExportSubject, state: ExportState): Message {
  const underWay = (text: string, more: readonly Block[] = []) =>
    withBlocks(text, more, [exportActions.cancel.button('Cancel', { id: subject.id })])
  const ended = (text: string, more: readonly Block[] = [], buttons: Buttons = []) =>
    withBlocks(text, more, buttons)
  const request = escapeText(subject.request)
  switch (state.name) {
    case 'waiting':
      return underWay(beginText(subject, state.isInLine))
    case 'reading':
    case 'uploading': {
      const text = `Exporting ${what(subject)}.${state.isAgain ? ' It was interrupted, and has begun again.' : ''}`
      const { words, bar } = progressTexts(state)
      return { ...underWay(text, [context(`${bar}${words}`)]), text: `${text} ${words}.` }
    }
    case 'restarting':
      return underWay(
        `Exporting ${what(subject)}. Callboard is being restarted, so this begins again in a moment.`,
      )
    case 'sent': {
      const { calls: total = subject.total } = state
      const here = `Here ${total === 1 ? 'is' : 'are'} ${what({ ...subject, total })}.`
      const notes = subject.clockNote === undefined ? [] : [context(escapeText(subject.clockNote))]
      return ended(`${here} Times are in ${escapeText(subject.zoneText)}.`, notes)
    }
    case 'cancelled':
      return ended(`Export cancelled: ${request}. Nothing was sent, and nothing is kept of it.`)
    case 'unconfirmed':
      return ended(
        `The file may be below, or not: Slack didn't confirm that it arrived (${request}). It isn't sent twice by itself. If it isn't there, try again.`,
        [],
        [againButton(subject)],
      )
    case 'empty':
      return ended(nothingText(subject))
    case 'failed': {
      const { offers, why } = state
      const buttons = { again: [againButton(subject)], dates: [datesButton(subject)] }
      return ended(`Export failed: ${request}. Nothing was sent. ${why}`, [], offers && buttons[offers])
    }
  }
}

/** What can't be tried again, on our side. */
export const givenUpMessage = withBlocks(
  'Export failed: something went wrong on our side. Nothing was sent. Please ask for it again.',
  [],
  [],
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

/** Why an export ended early: `lost` where its record is gone, since another process went on with it. */
export class ExportEndedError extends Error {
  override readonly name = 'ExportEndedError'
  readonly why

  constructor(why: 'cancelled' | 'lost' | 'too-slow') {
    super(`an export ended: ${why}`)
    this.why = why
  }
}

/** What went wrong, for the person who asked. @param context.read how many calls were read by then */
export function failedState(
  error: unknown,
  { read, reference, config }: { read: number; reference: string; config: Config },
): Extract<ExportState, { name: 'cancelled' | 'failed' }> {
  const isEnded = error instanceof ExportEndedError
  if (isEnded && error.why === 'cancelled') return { name: 'cancelled' }
  if (isEnded || error instanceof ReadingCutError) {
    const reason = isEnded ? 'It took more than an hour.' : `It holds more than ${callCount(mostCalls)}.`
    const kind = isEnded ? error.why : 'too-many'
    return { name: 'failed', kind, why: `${reason} ${fewerDays}`, offers: 'dates' }
  }
  if (error instanceof FileRefusedError) {
    const { oauth } = config.slack
    const why = fileRefusal(error.code, oauth && `${oauth.publicUrl}/slack/install`)
    return { name: 'failed', kind: error.code, why, offers: 'again' }
  }
  const cause = error instanceof ScanInterruptedError ? error.cause : error
  const { supportUrl } = config
  const { kind, text, offers } = describeFailure(cause, { isAdmin: false, reference, supportUrl })
  const soFar = read > 0 && cause !== error ? `It came as far as ${callCount(read)}. ` : ''
  return { name: 'failed', kind, why: `${soFar}${text}`, offers: offers === 'retry' ? 'again' : undefined }
}
