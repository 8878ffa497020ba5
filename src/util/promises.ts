import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from './units.ts'

export const timedOut = Symbol('timed out')

/** Returns `timedOut` after `ms`. The work then continues, and its failure is ignored. */
export function withTimeout<T>(work: Promise<T>, ms: Milliseconds): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, timedOut)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Does the work at the first call, and again only after a failure. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let working: Promise<T> | undefined
  return () => {
    working ??= work().catch((error: unknown) => {
      working = undefined
      throw error
    })
    return working
  }
}

export async function mapConcurrent<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  // `take` makes the iterator closable, unlike an array's own: a worker that fails closes it, so that no other begins an item.
  const entriesLeft = items.entries().take(items.length)
  const runWorker = async () => {
    for (const [index, item] of entriesLeft) results[index] = await work(item)
  }
  const workerCount = Math.min(concurrency, items.length)
  await Promise.all(Array.from({ length: workerCount }, runWorker))
  return results
}

const RETRY_DELAY_MS: Milliseconds = 5000

/** Tries the work every 5 s until it succeeds or the signal aborts, so that the app can start while its database is down. */
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
    // Rejects when the signal is aborted, which ends the loop.
    await sleep(RETRY_DELAY_MS, undefined, { ref: false, signal }).catch(() => {})
  }
}

/** Pending work that a process finishes before it ends. */
export class InFlight {
  readonly #work = new Set<Promise<unknown>>()

  get size(): number {
    return this.#work.size
  }

  /** @param work must not reject */
  add(work: Promise<unknown>): void {
    const tracked = work.finally(() => this.#work.delete(tracked))
    this.#work.add(tracked)
  }

  /** Waits for the work, and for what is added meanwhile, but no longer than `graceMs`. */
  async settle(graceMs: Milliseconds): Promise<void> {
    const deadline = performance.now() + graceMs
    let leftMs = graceMs
    while (this.size > 0 && leftMs > 0) {
      await withTimeout(Promise.allSettled(this.#work), leftMs)
      leftMs = deadline - performance.now()
    }
  }
}
