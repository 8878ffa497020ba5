import { filtersText } from '../../query/call-filters.ts'
import { agent } from '../../query/filters.ts'
import type { ListQuery } from '../../query/query.ts'
import type { FoundCalls } from '../../query/search.ts'
import {
  callCount,
  callerUnknownText,
  callsText,
  daysText,
  getAgentText,
  withLineName,
} from '../../query/texts.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { type CallPage, countCallPages } from '../../telephony/types.ts'
import { rangeZoneLabel } from '../../time/range-requests.ts'
import type { Zone } from '../../time/zones.ts'
import { rowsText } from '../../util/paging.ts'
import { capitalize, countNoun, formatNumber } from '../../util/text.ts'

/** `Missed calls`, `Anna Smith: incoming calls`, `Calls to +44 20 7946 0042`, `Calls to numbers with 0042` */
export function formatTitle(query: ListQuery, lines: LineNames): string {
  const agentName = getAgentText(query)
  const text = `${callsText(query)}${filtersText(withLineName(query, lines), [agent])}`
  return agentName === undefined ? capitalize(text) : `${agentName}: ${text}`
}

/** `All dates · Europe/Berlin (UTC+01:00)`, with the offset of these days */
export const describeDays = (query: ListQuery, zone: Zone, now: Date): string =>
  `${capitalize(daysText(query) ?? 'all dates')} · ${rangeZoneLabel(zone, query, now)}`

/** `3 calls · Fri 20 Nov 2026 · Europe/Berlin (UTC+01:00)` */
export const describeList = (query: ListQuery, page: CallPage, zone: Zone, now: Date): string =>
  `${page.total === page.calls.length ? callCount(page.total) : rowsText(countCallPages(page))} · ${describeDays(query, zone, now)}`

/** Shown on every page of such a list. */
export const unfilteredText =
  'The clocks changed during these days, so calls within an hour of midnight may be missing, or be of the next day.'

export function foundNote({ progress: { records, total = 0 }, timedOutAfterMs }: FoundCalls): string {
  if (timedOutAfterMs === undefined) return `Searched ${callCount(records)}.`
  const of = total > records ? ` of ${formatNumber(total)}` : ''
  const seconds = countNoun(Math.round(timedOutAfterMs / 1000), 'second')
  return `I checked the latest ${callCount(records, of)} in ${seconds}.`
}

export function callerNote(query: ListQuery): string | undefined {
  const isAsked = (query.line ?? query.number) !== undefined || query.status === 'missed'
  return isAsked && query.direction !== 'outgoing' ? callerUnknownText : undefined
}
