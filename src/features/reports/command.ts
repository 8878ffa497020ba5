import { type Grouping, groupings, type ReportQuery } from '../../slack/blocks/report-query.ts'
import { splitWords, type Word } from '../../slack/routing/command-words.ts'
import type { Direction } from '../../telephony/types.ts'
import { addDays, daysIn } from '../../time/days.ts'
import { matchRange } from '../../time/ranges.ts'
import type { DayRange, LocalDay } from '../../time/types.ts'
import { nearestWord } from '../../util/text.ts'
import { groupingsFor } from './buttons.ts'

/** What is wrong with a command, in words for people, and at which of its words; not escaped. */
export interface Problem {
  readonly at: number
  readonly text: string
}

/** What the words ask for; which agent and line they mean is still to be looked up. */
export interface ParsedReport {
  readonly query: ReportQuery
  readonly agent: string | undefined
  readonly line: string | undefined
  readonly problems: readonly Problem[]
  /** The command as it was probably meant; `undefined` where nobody knows. */
  readonly meant: string | undefined
}

const directions: Readonly<Record<string, Direction>> = {
  incoming: 'incoming',
  in: 'incoming',
  outgoing: 'outgoing',
  out: 'outgoing',
}
const keys = ['agent', 'line', 'by'] as const
const plainWords = [...Object.keys(directions), 'today', 'yesterday', 'this', 'last', 'week', 'month', 'days']
/** In words: `last 7 days`. */
const longestRange = 3
/** Two years: what a person can look over, and a chart can draw. */
export const MOST_DAYS = 732

const isGrouping = (text: string): text is Grouping => groupings.some((one) => one === text)
const usualDays = 7

export const lastDays = (today: LocalDay, count = usualDays): DayRange => ({
  from: addDays(today, 1 - count),
  to: today,
})

interface Draft {
  days?: DayRange
  direction?: Direction
  by?: Grouping
  agent?: string
  line?: string
}

/** Why these don't go together, in words for people; `undefined` where they do. */
export function conflictOf({ direction, line, by }: Pick<ReportQuery, 'direction' | 'line' | 'by'>) {
  if (line !== undefined && direction === 'outgoing')
    return "Outgoing calls don't say their line, so one line has incoming calls alone."
  if (groupingsFor({ direction, line }).includes(by)) return undefined
  return by === 'agent'
    ? "The phone service can't count one line's calls by agent."
    : "Outgoing calls don't say their line, so they can't be told apart by line."
}

/**
 * Reads the words behind `/calls report`, in any order.
 * Usage: [RANGE] [incoming|outgoing] [agent:NAME-OR-ID] [line:NAME-OR-NUMBER] [by:line|agent|hour|weekday|day]
 */
function read(words: readonly Word[], today: LocalDay) {
  const draft: Draft = {}
  const problems: Problem[] = []
  const corrected = words.map(({ written }) => written)
  const complain = (at: number, text: string, meant?: string) => {
    problems.push({ at, text })
    if (meant !== undefined) corrected[at] = meant
  }
  function take<K extends keyof Draft>(at: number, name: K, value: NonNullable<Draft[K]>, written: string) {
    const before = draft[name]
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(value))
      complain(at, `"${written}" contradicts an earlier word.`)
    else draft[name] = value
  }

  /** A value without quotes goes on with the words that mean nothing by themselves: `agent:Anna Smith`. */
  function valueFrom(at: number, { value, quoted }: Word): { readonly text: string; readonly count: number } {
    const parts = [value]
    for (let next = at + 1; !quoted && next < words.length; next += 1) {
      const word = words[next]
      if (!word || word.key !== undefined || word.quoted || isKnown(next)) break
      parts.push(word.value)
    }
    return { text: parts.join(' ').trim(), count: parts.length }
  }
  const plainFrom = (at: number) => {
    const rest = words.slice(at, at + longestRange)
    const stop = rest.findIndex((word) => word.key !== undefined || word.quoted)
    return (stop === -1 ? rest : rest.slice(0, stop)).map(({ value }) => value)
  }
  const isKnown = (at: number) =>
    directions[words[at]?.value.toLowerCase() ?? ''] !== undefined ||
    matchRange(plainFrom(at), today) !== undefined

  function takePair(at: number, word: Word): number {
    const { key = '', value, written } = word
    const lower = value.toLowerCase()
    if (key === 'by' && isGrouping(lower)) take(at, 'by', lower, written)
    else if (key === 'by') {
      const nearest = nearestWord(lower, groupings)
      complain(
        at,
        `I don't recognise "${written}". It's by:${groupings.join(', by:')}.`,
        nearest && `by:${nearest}`,
      )
    } else if ((key === 'agent' || key === 'line') && value !== '') {
      const { text, count } = valueFrom(at, word)
      take(at, key, text, written)
      return count
    } else {
      const nearest = nearestWord(key, keys)
      complain(at, `I don't recognise "${written}".`, nearest && `${nearest}:${value}`)
    }
    return 1
  }

  for (let at = 0; at < words.length; ) {
    const word = words[at]
    if (!word) break
    if (word.key !== undefined) {
      at += takePair(at, word)
      continue
    }
    const range = word.quoted ? undefined : matchRange(plainFrom(at), today)
    const direction = directions[word.value.toLowerCase()]
    if (range && 'problem' in range)
      complain(
        at,
        `In "${word.written}" the end date is before the start date.`,
        `${range.to}..${range.from}`,
      )
    else if (range) take(at, 'days', range.range, word.written)
    else if (direction) take(at, 'direction', direction, word.written)
    else complain(at, `I don't recognise "${word.written}".`, nearestWord(word.value, plainWords))
    at += range?.wordCount ?? 1
  }

  const { days = lastDays(today), direction, agent, line } = draft
  const length = daysIn(days.from, days.to)
  if (length > MOST_DAYS) complain(0, `A report is of ${MOST_DAYS} days at most, and these are ${length}.`)
  const usual = line !== undefined || direction === 'outgoing' ? 'day' : 'line'
  const query = {
    ...days,
    direction: line === undefined ? direction : (direction ?? 'incoming'),
    by: draft.by ?? usual,
  }
  const conflict = conflictOf({ ...query, line })
  if (conflict) complain(0, conflict)
  return { query, agent, line, problems, corrected: corrected.join(' ') }
}

/** What the words ask for, and where that isn't clear, what was probably meant. */
export function parseReportCommand(words: readonly Word[], today: LocalDay): ParsedReport {
  const { corrected, ...parsed } = read(words, today)
  const isMeant = parsed.problems.length > 0 && read(splitWords(corrected), today).problems.length === 0
  return { ...parsed, meant: isMeant ? corrected : undefined }
}
