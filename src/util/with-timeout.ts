import type { Milliseconds } from './units.ts'

export const timedOut = Symbol('timed out')

/** What the work comes to, or `timedOut` after `ms`; the work goes on then, and its failure is its owner's to await. */
export function withTimeout<T>(work: Promise<T>, ms: Milliseconds): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, timedOut)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * What the work comes to, or a rejection with the signal's reason as soon as it is aborted; the work goes on by itself
 * then, and what becomes of it is nobody's business any more.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
