import { type Answer, textAnswer } from '../../../slack/answers/answer.ts'
import { actionRow, section } from '../../../slack/blocks/blocks.ts'
import { numberText } from '../../../util/text.ts'
import type { ListQuery } from '../query.ts'
import { callCount } from '../summary.ts'
import {
  againButton,
  aheadText,
  datesButton,
  type ExportAgain,
  type Exported,
  fewerDays,
  mostCalls,
  what,
} from './words.ts'

// What whoever asks for an export is answered where they ask.

const alone = 'The CSV file comes as a direct message from Callboard; nobody else gets it.'

/**
 * The first answer.
 * @param ahead how many exports of the workspace come first
 * @param total of what is read; `undefined` where the service doesn't tell
 */
export function startedAnswer(exported: Exported, ahead: number, total: number | undefined): Answer {
  const begin =
    ahead === 0
      ? `Exporting ${what(exported)}.`
      : `The export of ${what(exported)} is in line: ${aheadText(ahead)}`
  const isSearch = exported.total === undefined && total !== undefined
  const search = isSearch ? ` I read ${callCount(total)} to find them.` : ''
  return textAnswer(`${begin}${search} ${alone}`)
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
