import {
  actionRow,
  type Block,
  context,
  escapeText,
  type Message,
  section,
} from '../../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../../slack/deliver/answer.ts'
import { numberText } from '../../../util/text.ts'
import { callsActions, exportActions } from '../actions.ts'
import type { ListQuery } from '../query.ts'
import { callCount } from '../summary.ts'

// What is said of exports, where they are asked for and in their direct messages. What is asked for (`missed incoming calls,
// 9–15 Nov`) is not escaped yet.

/** What fits a spreadsheet's million rows several times, and half an hour of the service's answers. */
export const mostCalls = 200_000

/** What an export is of, in words. */
export interface Exported {
  /** `missed incoming calls, 9–15 Nov` */
  readonly request: string
  /** How many there were when it was asked for; `undefined` where the service doesn't tell, as of the calls of a number. */
  readonly total: number | undefined
}

/** `2,544 missed incoming calls, 9–15 Nov`. Not escaped. */
export function exportedText({ request, total }: Exported): string {
  if (total === undefined) return request
  return `${numberText(total)} ${total === 1 ? request.replace('calls', 'call') : request}`
}

/** The same for mrkdwn. */
export const what = (exported: Exported) => escapeText(exportedText(exported))

/** The same once more: in its zone, whatever that of the conversation is where it is clicked. */
export interface ExportAgain {
  readonly query: ListQuery
  readonly zone: string
}

/** Starts it once more. */
export const againButton = ({ query, zone }: ExportAgain) =>
  exportActions.again.button('Try again', { query: { ...query, page: 1 }, zone })

/** Opens the form of the list with those calls. */
const datesButton = (query: ListQuery) => callsActions.filter.button('Choose dates…', query)

/** What to do about too many calls. */
const fewerDays = 'Choose fewer days, and then Export… under the list.'

const beginText = (exported: Exported, isInLine: boolean) =>
  isInLine
    ? `The export of ${what(exported)} is in line: other exports of this workspace come first.`
    : `Exporting ${what(exported)}.`

/** Nothing to export. @param empty what isn't there; not escaped */
export const nothingText = (empty: string): string => `There is nothing to export. ${escapeText(empty)}`

const alone = 'The CSV file comes as a direct message from Callboard; nobody else gets it.'

/**
 * The first answer.
 * @param isInLine whether other exports of the workspace come first
 * @param total of what is read; `undefined` where the service doesn't tell
 */
export function startedAnswer(exported: Exported, isInLine: boolean, total: number | undefined): Answer {
  const isSearch = exported.total === undefined && total !== undefined
  const search = isSearch ? ` I read ${callCount(total)} to find them.` : ''
  return textAnswer(`${beginText(exported, isInLine)}${search} ${alone}`)
}

/** More than an export may read. @param total of what would have to be read */
export function tooManyAnswer(exported: Exported, total: number, query: ListQuery): Answer {
  const many =
    exported.total === undefined
      ? `To find ${what(exported)}, I'd have to read ${callCount(total)}`
      : `That's ${what(exported)}`
  const text = `${many}, and an export takes ${numberText(mostCalls)} at most. Nothing was exported. ${fewerDays}`
  return { message: { text, blocks: [section(text), ...actionRow([datesButton(query)])] } }
}

/** The same calls, for the same person, are being exported already. */
export const alreadyText = (exported: Exported): string =>
  `You're exporting ${what(exported)} already. The direct message from Callboard says how far it is.`

/** As many exports wait as may. */
export function tooManyWaitingAnswer(again: ExportAgain): Answer {
  const text =
    'Too many exports of this workspace are waiting, so this one was not started. Try again when one of them is done.'
  return { message: { text, blocks: [section(text), ...actionRow([againButton(again)])] } }
}

/** A button of what is over. */
export const overText = 'This export is over already.'

/** None of what was read, in place of the progress. @param empty what isn't there; not escaped */
export const nothingMessage = (empty: string): Message => ended(nothingText(empty))

const cancelButton = (id: string) => exportActions.cancel.button('Cancel', { id })

function progressWith(text: string, id: string, more: readonly Block[] = []): Message {
  return { text, blocks: [section(text), ...more, ...actionRow([cancelButton(id)])] }
}

/** @param isInLine whether other exports of the workspace come first */
export const waitingMessage = (exported: Exported, isInLine: boolean, id: string): Message =>
  progressWith(beginText(exported, isInLine), id)

const barLength = 20

/** `█████░░░░░░░░░░░░░░░ 26%` */
function bar(read: number, total: number): string {
  // It is done when the file is there, and not before.
  const share = Math.min(0.99, read / Math.max(1, total))
  const full = Math.floor(share * barLength)
  return `${'█'.repeat(full)}${'░'.repeat(barLength - full)} ${Math.floor(share * 100)}%`
}

/** How far it is. @param progress.isAgain a process had begun, and was stopped */
export function progressMessage(
  exported: Exported,
  progress: {
    readonly id: string
    readonly read: number
    readonly total: number | undefined
    /** All of it is read, and the file on its way to Slack. */
    readonly isRead: boolean
    readonly isAgain: boolean
  },
): Message {
  const { id, read, total, isRead, isAgain } = progress
  const text = `Exporting ${what(exported)}.${isAgain ? ' It was interrupted, and has begun again.' : ''}`
  const soFar =
    total === undefined ? `${callCount(read)} read` : `${numberText(read)} of ${callCount(total)} read`
  const now = isRead ? `All ${callCount(read)} read; sending the file` : soFar
  const shown = total === undefined ? now : `${bar(read, total)} · ${now}`
  return { ...progressWith(text, id, [context(shown)]), text: `${text} ${now}.` }
}

/** The process stops, and another one goes on with it. */
export const interruptedMessage = (exported: Exported, id: string): Message =>
  progressWith(
    `Exporting ${what(exported)}. Callboard is being restarted, so this begins again in a moment.`,
    id,
  )

function ended(
  text: string,
  { buttons = [], notes = [] }: { buttons?: Parameters<typeof actionRow>[0]; notes?: readonly string[] } = {},
): Message {
  return { text, blocks: [section(text), ...notes.map((note) => context(note)), ...actionRow(buttons)] }
}

/** Above the file. @param clockNote what a change of clocks within its days does; not escaped */
export const sentMessage = (exported: Exported, zoneText: string, clockNote?: string): Message =>
  ended(
    `Here ${exported.total === 1 ? 'is' : 'are'} ${what(exported)}. Times are in ${escapeText(zoneText)}.`,
    {
      notes: clockNote === undefined ? [] : [escapeText(clockNote)],
    },
  )

export const cancelledMessage = ({ request }: Pick<Exported, 'request'>): Message =>
  ended(`Export cancelled: ${escapeText(request)}. Nothing was sent, and nothing is kept of it.`)

/** The file may have arrived: Slack has no way to ask. */
export const unconfirmedMessage = ({ request }: Exported, again: ExportAgain): Message =>
  ended(
    `The file may be below, or not: Slack didn't confirm that it arrived (${escapeText(request)}). It isn't sent twice by itself. If it isn't there, try again.`,
    { buttons: [againButton(again)] },
  )

/** @param failure.why mrkdwn @param failure.offers what helps: the same once more, or fewer days */
export function failedMessage(
  { request }: Pick<Exported, 'request'>,
  again: ExportAgain,
  { why, offers }: { readonly why: string; readonly offers: 'again' | 'dates' | undefined },
): Message {
  const buttons = { again: [againButton(again)], dates: [datesButton(again.query)] }
  return ended(`Export failed: ${escapeText(request)}. Nothing was sent. ${why}`, {
    buttons: offers ? buttons[offers] : [],
  })
}

/** How far the service let it come. */
export const stoppedAfterText = (read: number): string => `It came as far as ${callCount(read)}.`

export const tooSlowText = `It took more than an hour. ${fewerDays}`

/** Where the service didn't tell how many there are. */
export const tooManyText = `It holds more than ${callCount(mostCalls)}. ${fewerDays}`

/** What can't be tried again, on our side. */
export const givenUpMessage = (): Message =>
  ended('Export failed: something went wrong on our side. Nothing was sent. Please ask for it again.')
