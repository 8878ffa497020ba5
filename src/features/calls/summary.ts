import { beyondLastText } from '../../slack/blocks/list-buttons.ts'
import { lastPage, rowPositions } from '../../telephony/paging.ts'
import type { CallPage } from '../../telephony/types.ts'
import { dayLabel } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'
import { type ClockChange, localDay, zoneLabel } from '../../time/zones.ts'
import type { ListQuery } from './query.ts'

// What a message says about itself, in words. Nothing here is escaped.

export const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

export const titleOf = ({ direction }: Pick<ListQuery, 'direction'>): string => `${capital(direction)} calls`

function daysText({ from, to }: ListQuery): string {
  if (from && to) return from === to ? dayLabel(from) : `${dayLabel(from)} – ${dayLabel(to)}`
  if (from) return `from ${dayLabel(from)}`
  return to ? `until ${dayLabel(to)}` : 'any day'
}

/** `Missed · 5 Nov 2026 · agent Anna Smith · Europe/Berlin (UTC+01:00)` */
export function describeQuery(query: ListQuery, zone: Zone, now: Date): string {
  const agent = query.agentId === undefined ? [] : [`agent ${query.agentName ?? query.agentId}`]
  const status = query.status ? capital(query.status) : 'Every status'
  return [status, daysText(query), ...agent, zoneLabel(zone, now)].join(' · ')
}

/** `Page 2 of 7 · 21–40 of 133` */
export function position(page: CallPage): string {
  const last = lastPage(page)
  const positions = rowPositions(page)
  const rows = `${positions.first}–${positions.last}`
  return last === undefined
    ? `Page ${page.page} · ${rows}`
    : `Page ${page.page} of ${last} · ${rows} of ${page.total}`
}

/** Days are sent in one offset, the one at the start of the range: where it changes within, people are told. */
export function clockNote(changes: readonly ClockChange[], zone: Zone): string | undefined {
  const [first] = changes
  if (!first) return undefined
  const when = changes.map(
    ({ at, before, after }) => `on ${dayLabel(localDay(zone, at))} from UTC${before} to UTC${after}`,
  )
  return `The clocks changed ${when.join(' and ')}. Each time is the one that clocks showed at that call; days after the change are counted at UTC${first.before}.`
}

export function emptyText(query: ListQuery, page: CallPage): string {
  const last = lastPage(page)
  if (page.total && last !== undefined) return beyondLastText(query.page, last)
  const isFiltered = query.status || query.from || query.to || query.agentId
  return isFiltered
    ? 'No calls match. Change the filters, or look at the other direction.'
    : `There are no ${query.direction} calls yet. Look at the other direction, or refresh in a while.`
}
