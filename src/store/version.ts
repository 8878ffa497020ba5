import type { Backend } from './backend.ts'
import { StoreError } from './errors.ts'

/** What another process changed is seen this much later at most. */
const freshForMs = 10

/**
 * The backend's version, asked for once in 10 ms: the answer costs as much as reading a row.
 * @throws {StoreError}
 */
export function watchVersion(backend: Backend): () => number | undefined {
  let version: number | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - askedAt < freshForMs) return version
    try {
      version = backend.version()
    } catch (cause) {
      throw new StoreError('could not ask for the version', { cause })
    }
    askedAt = now
    return version
  }
}
