import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from './units.ts'

const retryDelayMs: Milliseconds = 5000

/**
 * Repeats the work until it succeeds or the signal aborts: the app starts while its database is down.
 * @param options.onFailure called after each failure
 */
export async function retryUntilSuccess(
  work: () => Promise<void>,
  { signal, onFailure }: { signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      onFailure(error)
    }
    // Rejects where the signal aborts, which ends the loop.
    await sleep(retryDelayMs, undefined, { ref: false, signal }).catch(() => {})
  }
}
