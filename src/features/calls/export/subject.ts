import { agentOf } from '../../../grammar/sentences.ts'
import { NonRetryableError } from '../../../jobs/jobs.ts'
import type { ExportRecord } from '../../../store/exports.ts'
import type { LineNames } from '../../../telephony/lines.ts'
import type { Zone } from '../../../time/types.ts'
import { parseZone } from '../../../time/zone-names.ts'
import { localDay } from '../../../time/zones.ts'
import { type ListQuery, readQuery } from '../query.ts'
import { requestText } from '../words.ts'

/** What an export is of, as it was asked for. */
export interface ExportSubject extends Pick<ExportRecord, 'id'> {
  readonly query: ListQuery
  readonly zone: Zone
  readonly askedAt: Date
  /** `missed incoming calls, 9–15 Nov`. Not escaped. */
  readonly request: string
  /** How many there were when it was asked for; `undefined` where the service doesn't tell, as of the calls of a number. */
  readonly total: number | undefined
}

/** @throws {NonRetryableError} for a query that this version can't read, or a zone that this runtime doesn't know */
export function subjectOf(
  record: Pick<ExportRecord, 'id' | 'query' | 'zone' | 'askedAt' | 'total'>,
): ExportSubject {
  const query = toQuery(record.query)
  const zone = parseZone(record.zone)
  if (!zone) throw new NonRetryableError('the time zone of an export is not known here')
  const askedAt = new Date(record.askedAt)
  const request = requestText(query, localDay(zone, askedAt))
  // How many have a number is not known before all of them are read.
  const total = query.number === undefined ? record.total : undefined
  return { id: record.id, query, zone, askedAt, request, total }
}

function toQuery(written: string): ListQuery {
  try {
    return { ...readQuery(written), page: 1 }
  } catch (cause) {
    throw new NonRetryableError('an export of what this version does not know', { cause })
  }
}

/** As much of what is in a file as stands in its name. */
const longestName = 100

/** `missed-calls-anna-smith-2026-11-09-to-2026-11-15.csv` */
export function fileName(query: ListQuery, zone: Zone, now: Date, lines: LineNames): string {
  const { direction, status, number, from, to } = query
  const result = direction === 'outgoing' && status === 'missed' ? 'unanswered' : status
  const way = direction === 'both' || result === 'missed' ? undefined : direction
  const called = number?.split(',').map((one) => lines.nameOf(one) ?? one)
  const parts = [result, way, 'calls', agentOf(query), ...(called ?? [])]
  const words = parts.filter((one) => one !== undefined).join(' ')
  // Letters of other scripts stay, marks on letters go: `Zoë Müller` is `zoe-muller`.
  const plain = words.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const what = plain
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, longestName)
    .replace(/-$/, '')
  const end = to ?? localDay(zone, now)
  const days = from === undefined ? `until-${end}` : from === end ? end : `${from}-to-${end}`
  return `${what}-${days}.csv`
}

/** Why an export ended early: `lost` where its record is gone, since another process went on with it. */
export class ExportEndedError extends Error {
  override readonly name = 'ExportEndedError'
  readonly why

  constructor(why: 'cancelled' | 'lost' | 'too-slow') {
    super(`an export ended: ${why}`)
    this.why = why
  }
}
