import { usedFilters } from '../../query/filters/call-filters.ts'
import type { Filter } from '../../query/filters/filter.ts'
import { agent, number } from '../../query/filters/filters.ts'
import { callNoun, emptyListText, formatResult, getAgentText } from '../../query/texts.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { lineKey } from '../../telephony/lines.ts'
import { type Call, isRaw } from '../../telephony/types.ts'
import { shortDayLabel, weekdayLabel } from '../../time/days.ts'
import { lengthText, localDay, wallTime } from '../../time/zones.ts'
import { countNoun } from '../../util/text.ts'
import type { CallsView } from './columns.ts'
import { type Sharer, sharedFooter } from './sharing.ts'
import { describeDays, formatTitle } from './words.ts'

const answerFilters: readonly Filter[] = [number, agent]

/** Whether the calls are all of one number, and the list reaches today. */
function answersLastCall({ query, found, today }: CallsView): boolean {
  if (query.number === undefined || !found || found.timedOutAfterMs !== undefined) return false
  if (query.to !== undefined && query.to < today) return false
  if (!usedFilters(query).every((filter) => answerFilters.includes(filter))) return false
  return new Set(found.calls.map((call) => lineKey(call.number))).size === 1
}

/** `Thu 26 Nov 18:46` */
const formatMoment = (at: Date, { zone, today }: CallsView): string =>
  `${weekdayLabel(localDay(zone, at), today)} ${wallTime(zone, at).slice(11, 16)}`

/** ` by Anna Smith, answered, 23 s`, `, answered by Anna Smith, 1:28`, `, missed` */
function describeCall(call: Call, { query, agentNames }: CallsView): string {
  const { direction, status, answered = '', seconds } = call
  const agentName = getAgentText(query) ?? agentNames.get(answered)
  const byAgent = agentName === undefined ? '' : ` by ${agentName}`
  let text = `, ${formatResult(call).toLowerCase()}`
  if (direction === 'outgoing') text = `${byAgent}${text}`
  else if (status === 'answered') text = `${text}${byAgent}`
  if (isRaw(seconds) || seconds === 0) return text
  const length = seconds < 60 ? `${seconds} s` : lengthText(seconds)
  return `${text}, ${length}`
}

/**
 * `Last called Thu 26 Nov 18:46 by Anna Smith, answered, 23 s. No other call since 1 Nov.` Not escaped; undefined if the list
 * doesn't tell when the number was last called.
 */
export function describeLastCall(view: CallsView): string | undefined {
  const { query, found, today } = view
  const [last, ...others] = found?.calls ?? []
  if (!last || isRaw(last.at) || !answersLastCall(view)) return undefined
  const noun = callNoun({ direction: query.direction })
  const count = others.length === 0 ? `No other ${noun}` : countNoun(others.length, `other ${noun}`)
  const since = query.from === undefined ? '' : ` since ${shortDayLabel(query.from, today)}`
  return `Last called ${formatMoment(last.at, view)}${describeCall(last, view)}. ${count}${since}.`
}

/** `Last called …`, or that there were no calls; undefined if the list tells neither. */
export function describeForThread(view: CallsView): string | undefined {
  const { query, found, today, lines } = view
  if (query.number === undefined || !found || found.timedOutAfterMs !== undefined) return undefined
  if (found.calls.length > 0) return describeLastCall(view)
  return emptyListText(query, today, { lines, found })
}

/** Reply in the thread of the message with the number. */
export function renderThreadAnswer(view: CallsView, sharer: Sharer): Answer {
  const text = blocks.escapeText(describeForThread(view) ?? '')
  const title = blocks.escapeText(formatTitle(view))
  return {
    message: {
      text: `${title}. ${text}`,
      blocks: [
        blocks.section(`*${title}*\n${text}`),
        blocks.noteBlock(describeDays(view.query, view.zone, view.now)),
        ...sharedFooter(sharer),
      ],
    },
  }
}
