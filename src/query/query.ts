import { z } from 'zod'
import type { Services } from '../services.ts'
import type { Interaction } from '../slack/routing/routes.ts'
import type { ReadQuery } from '../telephony/types.ts'
import { countDays, type LocalDay, lastDays } from '../time/days.ts'
import type { RangeRequest } from '../time/range-requests.ts'
import type { OpenRange } from '../time/ranges.ts'
import { parseZone } from '../time/zone-names.ts'
import { localDay, type Zone } from '../time/zones.ts'
import { isSearch } from './filters/call-filters.ts'
import { localDaySchema } from './filters/day-filters.ts'
import { narrowingFields, type ParsedFilters } from './filters/filter.ts'

export const pageNumberSchema = z.int().min(1).max(1_000_000)

export const alertMessageIdSchema = z.string().min(1).max(200)
const messageTimestampSchema = z.string().regex(/^\d{1,20}\.\d{1,10}$/)

/** Each button of a list stores its query, so that paging works after a restart and on any instance. */
export const listQuerySchema = z
  .strictObject({
    /** `both` takes a search, because the service lists one direction, so it needs a number or an agent. */
    direction: z.enum(['incoming', 'outgoing', 'both']),
    from: localDaySchema.optional(),
    to: localDaySchema.optional(),
    ...narrowingFields,
    alert: alertMessageIdSchema.optional(),
    /** Adds a button back to `/agents`. */
    openedFrom: z.literal('agents').optional(),
    /** Message whose number is looked up: the answer may be posted in its thread. */
    thread: messageTimestampSchema.optional(),
    page: pageNumberSchema,
  })
  .refine(({ direction, number, agentId }) => direction !== 'both' || (number ?? agentId) !== undefined)
export type ListQuery = Readonly<z.infer<typeof listQuerySchema>>

export const zoneSchema = z.string().refine((text): text is Zone => parseZone(text) === text)

export async function getToday({ actor, tenant, channel }: Interaction, { workspaces, now }: Services) {
  const { zone } = await workspaces.findZone(tenant, channel, actor.person)
  return localDay(zone, new Date(now()))
}

/** Returns undefined for a range without a start or with another end. */
export const countDaysToToday = ({ from, to }: OpenRange, today: LocalDay): number | undefined =>
  from !== undefined && to === today ? countDays(from, to) : undefined

/** Days of a search that names none: more would take long to read, because its calls are selected here. */
export const SEARCHED_DAYS = 30

export function withSearchedDays(query: ListQuery, today: LocalDay): ListQuery {
  if (!isSearch(query) || query.from !== undefined || query.to !== undefined) return query
  return { ...query, ...lastDays(SEARCHED_DAYS, today) }
}

/** Applies defaults: incoming calls; both directions for a number. Leaves out typed names, which are resolved later, and `by`. */
export function toListQuery(filters: ParsedFilters): ListQuery {
  const { direction, line: _line, agent: _agent, by: _by, ...rest } = filters
  const usualDirection = rest.number === undefined ? 'incoming' : 'both'
  return { ...rest, direction: direction ?? usualDirection, page: rest.page ?? 1 }
}

export function toReadQueries(
  { direction, status, agentId }: ListQuery,
  { requestedDays }: RangeRequest,
): readonly [ReadQuery, ...(readonly ReadQuery[])] {
  const shared = { ...requestedDays, status, agentId }
  if (direction !== 'both') return [{ direction, ...shared }]
  return [
    { direction: 'incoming', ...shared },
    { direction: 'outgoing', ...shared },
  ]
}

export type AgentFilter = Pick<ListQuery, 'agentId' | 'agentName'>
/** Result of resolving the names of agents and lines. */
export type NameFilters = AgentFilter & Pick<ListQuery, 'line'>
