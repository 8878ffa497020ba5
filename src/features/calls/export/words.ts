import { escapeText } from '../../../slack/blocks/blocks.ts'
import { numberText } from '../../../util/text.ts'
import { callsActions, exportActions } from '../actions.ts'
import type { ListQuery } from '../query.ts'

// What the answers and the direct messages of an export have in common. What is asked for (`missed incoming calls, 9–15 Nov`)
// is not escaped yet.

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
export const datesButton = (query: ListQuery) => callsActions.filter.button('Choose dates…', query)

/** What to do about too many calls. */
export const fewerDays = 'Choose fewer days, and then Export… under the list.'

/** What an export waits for. */
export const aheadText = (ahead: number) => `${ahead} other exports of this workspace come first.`

/** Nothing to export. @param empty what isn't there; not escaped */
export const nothingText = (empty: string): string => `There is nothing to export. ${escapeText(empty)}`
