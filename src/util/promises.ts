import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from './units.ts'

const retryDelayMs: Milliseconds = 5000

export const timedOut = Symbol('timed out')

/** What the work comes to, or `timedOut` after `ms`; the work goes on then, and its failure is its owner's to await. */
export function withTimeout<T>(work: Promise<T>, ms: Milliseconds): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, timedOut)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Does the work when it is first asked for, and only once; where it failed, again the next time. */
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

/** What each comes to, in their order, several at a time. What one of them throws ends it: nothing more begins. */
export async function several<T, R>(
  items: readonly T[],
  atATime: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  // Shared by the workers: one that throws ends it for all of them.
  const entries = entriesOf(items)
  const worker = async () => {
    for (const [at, item] of entries) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, worker))
  return results
}

function* entriesOf<T>(items: readonly T[]) {
  yield* items.entries()
}

/** Repeats the work until it succeeds or the signal aborts: the app starts while its database is down. */
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

/** What has to be finished before a process may end. */
export class InFlight {
  readonly #work = new Set<Promise<unknown>>()

  get size(): number {
    return this.#work.size
  }

  add(work: Promise<unknown>): void {
    const counted = work.finally(() => this.#work.delete(counted))
    this.#work.add(counted)
  }

  /** Once nothing is in flight, whatever was added meanwhile, or after `graceMs`. */
  async settled(graceMs: Milliseconds): Promise<void> {
    const deadline = performance.now() + graceMs
    for (let left = graceMs; this.size > 0 && left > 0; left = deadline - performance.now())
      await withTimeout(Promise.allSettled(this.#work), left)
  }
}
