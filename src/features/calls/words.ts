import { filtersText } from '../../query/filters/call-filters.ts'
import { agent } from '../../query/filters/filters.ts'
import type { ListQuery } from '../../query/query.ts'
import type { FoundCalls } from '../../query/search.ts'
import * as texts from '../../query/texts.ts'
import { rangeZoneLabel } from '../../time/range-requests.ts'
import type { Zone } from '../../time/zones.ts'
import { capitalize, countNoun, formatNumber } from '../../util/text.ts'
import type { CallsView } from './columns.ts'

type TitledList = Pick<CallsView, 'query' | 'page' | 'found' | 'lines' | 'today'>

/**
 * `8 missed calls yesterday`, `Anna Smith: 1 incoming call`, `3 calls to numbers with 0042 in the last 30 days`; without a
 * count if there are no calls, or it isn't known.
 */
export function formatTitle({ query, page, found, lines, today }: TitledList): string {
  const count = found?.timedOutAfterMs === undefined ? page.total : undefined
  const filters = filtersText(texts.withLineName(query, lines), [agent])
  const agentName = texts.getAgentText(query)
  let calls = capitalize(texts.callsText(query))
  if (count) calls = countNoun(count, texts.callNoun(query))
  else if (agentName !== undefined) calls = texts.callsText(query)
  const text = `${calls}${filters}${texts.titleDaysText(query, today)}`
  return agentName === undefined ? text : `${agentName}: ${text}`
}

/** `All dates · Europe/Berlin (UTC+01:00)`, with the offset of these days */
export const describeDays = (query: ListQuery, zone: Zone, now: Date): string =>
  `${capitalize(texts.daysText(query) ?? 'all dates')} · ${rangeZoneLabel(zone, query, now)}`

/** Undefined for a search that was completed. */
export function timeoutText({ progress, timedOutAfterMs }: FoundCalls): string | undefined {
  if (timedOutAfterMs === undefined) return undefined
  const { records, total = 0 } = progress
  let checked = texts.callCount(records)
  if (total > records) checked = `${formatNumber(records)} of ${texts.callCount(total)}`
  return `I checked the latest ${checked} in ${countNoun(Math.round(timedOutAfterMs / 1000), 'second')}.`
}
