import type { Milliseconds } from '../util/units.ts'
import { identityOf } from './read-calls.ts'
import { withRetries } from './retry.ts'
import type { ServiceResponse } from './transport.ts'
import type { Call, CallPage, CallQuery, ScanQuery } from './types.ts'
import { toCall } from './wire.ts'
import { displayText, parseTotal } from './wire-values.ts'

export const toPage = (
  { direction, offset, page }: CallQuery,
  { result, total }: ServiceResponse,
): CallPage => ({
  calls: result.map((record) => toCall(record, direction, offset)),
  page,
  total: parseTotal(total),
})

/** The first page of a list, whose calls are not understood yet. */
export interface FirstPage {
  /** What each record on it is known by, in a scan too. */
  readonly ids: readonly string[]
  /** Every record that matches, on all pages; `undefined` where the service's figure is no number. */
  readonly total: number | undefined
  /** In the order of `ids`. */
  readonly calls: () => readonly Call[]
}

/** As where a person waits. */
const maxRetries = 2
const patienceMs: Milliseconds = 8000

/** @throws {TelephonyError} */
export async function readFirstPage(
  readOnce: (attempt: number) => Promise<ServiceResponse>,
  { direction, offset }: ScanQuery,
): Promise<FirstPage> {
  const until = performance.now() + patienceMs
  const deadline = { remainingMs: () => until - performance.now() }
  const { result, total } = await withRetries(readOnce, { maxRetries, deadline })
  const callOf = (record: unknown) => toCall(record, direction, offset)
  const idOf = (record: unknown): string => {
    const id = typeof record === 'object' && record !== null && 'id' in record ? displayText(record.id) : ''
    return id === '' ? identityOf(callOf(record)) : id
  }
  return { ids: result.map(idOf), total: parseTotal(total), calls: () => result.map(callOf) }
}
