import { NonRetryableError } from '../../../jobs/jobs.ts'
import type { ExportRecord } from '../../../store/exports.ts'
import { rangeClockChanges } from '../../../time/ranges.ts'
import type { Zone } from '../../../time/types.ts'
import { parseZone } from '../../../time/zone-names.ts'
import { localDay, zoneLabel } from '../../../time/zones.ts'
import { type ListQuery, readQuery } from '../query.ts'
import { clockNote, requestText } from '../words.ts'

/** What an export is of, as it was asked for. */
export interface ExportSubject {
  readonly id: string
  readonly query: ListQuery
  readonly zone: Zone
  /** `missed incoming calls, 9–15 Nov`. Not escaped, as nothing here is. */
  readonly request: string
  /** How many there were when it was asked for; `undefined` where the service doesn't tell, as of the calls of a number. */
  readonly total: number | undefined
  /** `Europe/Berlin (UTC+01:00)` */
  readonly zoneText: string
  /** What a change of clocks within its days does; none for most. */
  readonly clockNote: string | undefined
}

/** @throws {NonRetryableError} for a query that this version can't read, or a zone that this runtime doesn't know */
export function subjectOf({
  id,
  query: written,
  zone: zoneName,
  askedAt,
  total,
}: Pick<ExportRecord, 'id' | 'query' | 'zone' | 'askedAt' | 'total'>): ExportSubject {
  const query = toQuery(written)
  const zone = parseZone(zoneName)
  if (!zone) throw new NonRetryableError('the time zone of an export is not known here')
  const at = new Date(askedAt)
  return {
    id,
    query,
    zone,
    request: requestText(query, localDay(zone, at)),
    // How many have a number is not known before all of them are read.
    total: query.number === undefined ? total : undefined,
    zoneText: zoneLabel(zone, at),
    clockNote: clockNote(rangeClockChanges(zone, query, at), query, zone, at),
  }
}

function toQuery(written: string): ListQuery {
  try {
    return { ...readQuery(written), page: 1 }
  } catch (cause) {
    throw new NonRetryableError('an export of what this version does not know', { cause })
  }
}

/** `incoming-calls-2026-11-09-to-2026-11-15.csv` */
export function fileName({ direction, from, to }: ListQuery, zone: Zone, now: Date): string {
  const end = to ?? localDay(zone, now)
  const days = from === undefined ? `until-${end}` : from === end ? end : `${from}-to-${end}`
  return `${direction === 'both' ? '' : `${direction}-`}calls-${days}.csv`
}
