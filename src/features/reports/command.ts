import { by, callFilters, MAX_LINE_LENGTH, type ParsedFilters } from '../../grammar/filters.ts'
import type { Grammar } from '../../grammar/parse-words.ts'
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

/** Applies defaults: the last 7 days, both directions, by line if lines are known. */
function toReportQuery({ from, to, direction, line, by }: ParsedFilters, today: LocalDay): ReportQuery {
  const end = to ?? (from !== undefined && from > today ? from : today)
  const days = from === undefined ? lastDays(usualDays, end) : { from, to: end }
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

/** Missed and answered calls are in every report, so `missed` and `answered` change nothing. */
const reportGrammar: Grammar = {
  filters: [...callFilters, by],
  conflict(filters, today) {
    if (filters.number !== undefined)
      return "A report can't be limited to a number. Choose one of your lines."
    const query = toReportQuery(filters, today)
    return tooLong(query) ?? conflictOf({ ...query, line: filters.line })
  },
}

export const reportCommand: Omit<QueryCommand<ReportQuery>, 'run'> = {
  typed: '/calls report',
  grammar: reportGrammar,
  complete: toReportQuery,
  forLine: (query, number) => ({ ...query, line: number.slice(0, MAX_LINE_LENGTH) }),
  request: requestText,
  show: reportActions.show,
  filter: reportActions.filter,
  alternatives: () => [
    commandButton('report', 'Last 7 days', '/calls report'),
    commandButton('words', 'All commands', '/calls help words'),
  ],
}
