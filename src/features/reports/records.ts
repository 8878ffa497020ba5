import type { Reading } from '../../slack/answers/reading.ts'
import { ScanInterruptedError } from '../../telephony/errors.ts'
import { isShort, lastPage } from '../../telephony/paging.ts'
import type { ScanOptions } from '../../telephony/scan.ts'
import type { Call, CallPage, Direction } from '../../telephony/types.ts'
import { type Aggregate, Aggregator } from './aggregate.ts'
import type { Window } from './period.ts'
import type { Part, ReportPlan } from './report.ts'

/** There are more records than were counted before, and than are read. */
export class TooManyRecordsError extends Error {
  override readonly name = 'TooManyRecordsError'
}

const isAllOfIt = (page: CallPage) => page.total !== undefined && lastPage(page) === 1 && !isShort(page)

/**
 * Reads the calls of these periods, all directions at a time, and adds them up one by one.
 * @returns one for each part
 * @throws {TelephonyError | TooManyRecordsError}, and the reason of `timeout`
 */
export async function readRecords(
  parts: readonly Part[],
  options: {
    readonly plan: ReportPlan
    readonly scan: (window: Window, direction: Direction, how: ScanOptions) => AsyncIterable<Call>
    readonly reading: Reading
    readonly timeout: AbortSignal
    readonly mostRecords: number
  },
): Promise<readonly Aggregate[]> {
  const { plan, scan, reading, timeout, mostRecords } = options
  const { zone, query, directions } = plan
  const ended = new AbortController()
  const signal = AbortSignal.any([ended.signal, timeout])
  let records = 0

  async function readPart({ period, window, first }: Part, index: number): Promise<Aggregate> {
    const aggregator = new Aggregator({ period, zone, line: query.line })
    const take = (call: Call) => {
      records += 1
      if (records > mostRecords) throw new TooManyRecordsError('more records than were counted')
      aggregator.add(call)
    }
    const readDirection = async (direction: Direction, place: number) => {
      const page = first[place]
      if (page && isAllOfIt(page)) return page.calls.forEach(take)
      const at = index * directions.length + place
      const onProgress: ScanOptions['onProgress'] = (progress) => reading.progress(at, progress)
      for await (const call of scan(window, direction, { signal, onProgress })) take(call)
    }
    await Promise.all(directions.map(readDirection))
    return aggregator.result
  }

  try {
    return await Promise.all(parts.map(readPart))
  } catch (error) {
    // Where one fails, the others end too.
    ended.abort()
    if (!(error instanceof ScanInterruptedError)) throw error
    throw new ScanInterruptedError(error.cause, { ...error.progress, ...reading.soFar })
  }
}
