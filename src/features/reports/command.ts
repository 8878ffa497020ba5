import { type Asked, agent, by, direction, LONGEST_LINE, line, range } from '../../grammar/filters.ts'
import type { Grammar } from '../../grammar/read-words.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import type { ReportQuery } from '../../slack/blocks/links.ts'
import type { QueryCommand } from '../../slack/routing/query-command.ts'
import { daysIn, lastDays } from '../../time/days.ts'
import type { DayRange, LocalDay } from '../../time/types.ts'
import { numberText } from '../../util/text.ts'
import { groupingsFor, reportActions } from './actions.ts'
import { requestText } from './words.ts'

/** Two years: what a person can look over, and a chart can draw. */
const MOST_DAYS = 732

const usualDays = 7

/** With what is usual where nothing is said: the last days, both directions, and by line where that can be told. */
function toReportQuery({ from, to, direction, line, by }: Asked, today: LocalDay): ReportQuery {
  const end = to ?? (from !== undefined && from > today ? from : today)
  const days = from === undefined ? lastDays(usualDays, today) : { from, to: end }
  const usual = line !== undefined || direction === 'outgoing' ? 'day' : 'line'
  return {
    ...days,
    direction: line === undefined ? direction : (direction ?? 'incoming'),
    by: by ?? usual,
  }
}

export function tooLong({ from, to }: DayRange): string | undefined {
  const days = daysIn(from, to)
  return days > MOST_DAYS
    ? `A report covers up to ${MOST_DAYS} days. You asked for ${numberText(days)}.`
    : undefined
}

export function conflictOf({ direction, line, by }: Pick<ReportQuery, 'direction' | 'line' | 'by'>) {
  if (line !== undefined && direction === 'outgoing')
    return 'Outgoing calls have no line. Choose incoming calls, or all lines.'
  if (groupingsFor({ direction, line }).includes(by)) return undefined
  return by === 'agent'
    ? "Calls to one line can't be counted by agent."
    : "Outgoing calls have no line, so they can't be listed by line."
}

const reportGrammar: Grammar = {
  filters: [range, direction, agent, line, by],
  conflict(asked, today) {
    const query = toReportQuery(asked, today)
    return tooLong(query) ?? conflictOf({ ...query, line: asked.line })
  },
}

export const reportCommand: Omit<QueryCommand<ReportQuery>, 'run'> = {
  typed: '/calls report',
  grammar: reportGrammar,
  complete: toReportQuery,
  ofLine: (query, number) => ({ ...query, line: number.slice(0, LONGEST_LINE) }),
  request: requestText,
  show: reportActions.show,
  filter: reportActions.filter,
  waysOn: () => [
    commandButton('report', 'Last 7 days', '/calls report'),
    commandButton('words', 'All commands', '/calls help words'),
  ],
}
