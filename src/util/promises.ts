import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from './units.ts'

const RETRY_DELAY_MS: Milliseconds = 5000

export const timedOut = Symbol('timed out')

/** Returns `timedOut` after `ms`. The work then continues, and its caller must handle its failure. */
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
  atATime: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  // Shared by the workers. An error in one of them closes it; an array's own iterator has no `return`.
  const entries = items.entries().take(items.length)
  const worker = async () => {
    for (const [at, item] of entries) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, worker))
  return results
}

/** Lets the app start while its database is down. */
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

/** Work that a process finishes before it ends. */
export class InFlight {
  readonly #work = new Set<Promise<unknown>>()

  get size(): number {
    return this.#work.size
  }

  add(work: Promise<unknown>): void {
    const counted = work.finally(() => this.#work.delete(counted))
    this.#work.add(counted)
  }

  async settled(graceMs: Milliseconds): Promise<void> {
    const deadline = performance.now() + graceMs
    for (let left = graceMs; this.size > 0 && left > 0; left = deadline - performance.now())
      await withTimeout(Promise.allSettled(this.#work), left)
  }
}
