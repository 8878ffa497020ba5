import type { Milliseconds } from '../util/units.ts'
import { type RequestOutcome, TelephonyError } from './errors.ts'
import type { ScanOptions } from './scan.ts'
import type { Call, ScanProgress } from './types.ts'

/** A whole scan, without anything that is anybody's. */
export interface ScanReport {
  /** `cancelled`: whoever read it wanted no more. */
  readonly outcome: RequestOutcome | 'cancelled'
  /** Calls that were handed over. */
  readonly records: number
  readonly ms: Milliseconds
}

/**
 * Hands the calls on, and reports once it is over, however it ends.
 * @param onEnd must not throw; `error` is what ended it
 */
export async function* reportedScan(
  scan: (options: ScanOptions) => AsyncGenerator<Call, void, undefined>,
  options: ScanOptions,
  onEnd: (report: ScanReport, error?: TelephonyError) => void,
): AsyncGenerator<Call, void, undefined> {
  const start = performance.now()
  let outcome: ScanReport['outcome'] = 'cancelled'
  let records = 0
  let cause: TelephonyError | undefined
  const onProgress = (progress: ScanProgress) => {
    records = progress.records
    options.onProgress?.(progress)
  }
  try {
    yield* scan({ ...options, onProgress })
    outcome = 'ok'
  } catch (error) {
    if (error instanceof TelephonyError) {
      cause = error
      outcome = error.outcome
    }
    throw error
  } finally {
    onEnd({ outcome, records, ms: performance.now() - start }, cause)
  }
}
