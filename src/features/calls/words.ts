import { filtersText, usedFilters } from '../../query/filters/call-filters.ts'
import type { Filter } from '../../query/filters/filter.ts'
import { agent, number } from '../../query/filters/filters.ts'
import type { ListQuery } from '../../query/query.ts'
import type { FoundCalls } from '../../query/search.ts'
import * as texts from '../../query/texts.ts'
import { toLineKey } from '../../telephony/lines.ts'
import { type Call, isRaw } from '../../telephony/types.ts'
import { dayLabel, weekdayLabel } from '../../time/days.ts'
import { formatAsClock } from '../../time/lengths.ts'
import { rangeZoneLabel } from '../../time/range-requests.ts'
import { localDay, localTime, type Zone } from '../../time/zones.ts'
import { capitalize, countNoun, formatNumber } from '../../util/text.ts'
import type { CallsView } from './columns.ts'

/**
 * `8 missed calls yesterday`, `Anna Smith: 1 incoming call`, `3 calls to numbers with 0042 in the last 30 days`; without a
 * count if there are no calls, or it isn't known.
 */
export function formatTitle({ query, page, found, lines, today }: CallsView): string {
  const count = found?.timedOutAfterMs === undefined ? page.total : undefined
  const calls = count ? countNoun(count, texts.callNoun(query)) : texts.callsText(query)
  const filters = filtersText(texts.withLineName(query, lines), [agent])
  const text = `${calls}${filters}${texts.titleDaysText(query, today)}`
  const agentName = texts.getAgentText(query)
  return agentName === undefined ? capitalize(text) : `${agentName}: ${text}`
}

/** `All dates · Europe/Berlin (UTC+01:00)`, with the offset of these days */
export const describeDays = (query: ListQuery, zone: Zone, now: Date): string =>
  `${capitalize(texts.daysText(query) ?? 'all dates')} · ${rangeZoneLabel(zone, query, now)}`

/** Undefined for a search that was completed. */
export function timeoutText({ progress, timedOutAfterMs }: FoundCalls): string | undefined {
  if (timedOutAfterMs === undefined) return undefined
  const { records, total = 0 } = progress
  let checked = countNoun(records, 'call')
  if (total > records) checked = `${formatNumber(records)} of ${countNoun(total, 'call')}`
  return `I checked the latest ${checked} in ${countNoun(Math.round(timedOutAfterMs / 1000), 'second')}.`
}

const lastCallFilters: readonly Filter[] = [number, agent]

/** Whether the list has the last call to one number: it reaches today, and no filter but these and a direction leaves out calls. */
function hasLastCall({ query, found, today }: CallsView): boolean {
  if (query.number === undefined || !found || found.timedOutAfterMs !== undefined) return false
  if (query.to !== undefined && query.to < today) return false
  if (!usedFilters(query).every((filter) => lastCallFilters.includes(filter))) return false
  return new Set(found.calls.map((call) => toLineKey(call.number))).size === 1
}

/** ` by Anna Smith, answered, 0:23`, `, answered by Anna Smith, 1:28`, `, missed` */
function describeCall(call: Call, { query, agentNames }: CallsView): string {
  const { direction, status, answered: login = '', seconds } = call
  const result = texts.formatResult(call).toLowerCase()
  const agentName = texts.getAgentText(query) ?? agentNames.get(login)
  const byAgent = agentName === undefined ? '' : ` by ${agentName}`
  const length = isRaw(seconds) || seconds === 0 ? '' : `, ${formatAsClock(seconds)}`
  if (direction === 'outgoing') return `${byAgent}, ${result}${length}`
  if (status === 'answered') return `, ${result}${byAgent}${length}`
  return `, ${result}${length}`
}

/**
 * `Last called Thu 26 Nov 18:46 by Anna Smith, answered, 0:23. No other call since 1 Nov.` Not escaped; undefined if the list
 * doesn't tell when the number was last called.
 */
export function describeLastCall(view: CallsView): string | undefined {
  const { query, found, zone, today } = view
  const calls = found?.calls ?? []
  const [latest] = calls
  if (!latest || isRaw(latest.at) || !hasLastCall(view)) return undefined
  const noun = texts.callNoun({ direction: query.direction })
  const others = calls.length === 1 ? `No other ${noun}` : countNoun(calls.length - 1, `other ${noun}`)
  const since = query.from === undefined ? '' : ` since ${dayLabel(query.from, today)}`
  const moment = `${weekdayLabel(localDay(zone, latest.at), today)} ${localTime(zone, latest.at)}`
  return `Last called ${moment}${describeCall(latest, view)}. ${others}${since}.`
}

/** `Last called …`, or that there were no calls; undefined if the list tells neither. */
export function describeForThread(view: CallsView): string | undefined {
  const { query, found, today, lines } = view
  if (query.number === undefined || !found || found.timedOutAfterMs !== undefined) return undefined
  if (found.calls.length > 0) return describeLastCall(view)
  return texts.noCallsText(query, today, { lines, found })
}
