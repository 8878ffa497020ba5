import {
  actionRow,
  type Block,
  context,
  escapeText,
  type Message,
  section,
} from '../../../slack/blocks/blocks.ts'
import { numberText } from '../../../util/text.ts'
import { exportActions } from '../actions.ts'
import { callCount } from '../summary.ts'
import {
  againButton,
  aheadText,
  datesButton,
  type ExportAgain,
  type Exported,
  fewerDays,
  mostCalls,
  nothingText,
  what,
} from './words.ts'

// What the direct message of an export says, from its beginning to its end.

/** None of what was read, in place of the progress. @param empty what isn't there; not escaped */
export const nothingMessage = (empty: string): Message => ended(nothingText(empty))

const cancelButton = (id: string) => exportActions.cancel.button('Cancel', { id })

function progressWith(text: string, id: string, more: readonly Block[] = []): Message {
  return { text, blocks: [section(text), ...more, ...actionRow([cancelButton(id)])] }
}

/** @param ahead how many exports of the workspace come first */
export const waitingMessage = (exported: Exported, ahead: number, id: string): Message =>
  progressWith(
    ahead === 0
      ? `Exporting ${what(exported)}.`
      : `The export of ${what(exported)} is in line: ${aheadText(ahead)}`,
    id,
  )

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
