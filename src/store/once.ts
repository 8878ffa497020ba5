import type { Backend } from './backend.ts'
import { StoreError } from './errors.ts'

export interface Claims {
  /** `true` for exactly one of any number of callers, in any process, until `ttlMs` have gone by. */
  claim(scope: string, key: string, ttlMs: number): Promise<boolean>
}

export interface Latest {
  /** Notes `value` where it is greater than what was noted: `true` if it now is the greatest. Atomic. */
  advance(scope: string, key: string, value: number, ttlMs: number): Promise<boolean>
  /** `true` while nothing greater was noted. */
  isLatest(scope: string, key: string, value: number): Promise<boolean>
}

async function orStoreError<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new StoreError(`could not ${what}`, { cause })
  }
}

// keyv has no compare-and-set: these two go to the database's own statements.

export function createClaims(backend: Backend, now: () => number): Claims {
  return {
    claim: (scope, key, ttlMs) =>
      orStoreError(
        'claim',
        backend.insert(`claim:${scope}`, { key, value: '1', expires: now() + ttlMs }, now()),
      ),
  }
}

export function createLatest(backend: Backend, now: () => number): Latest {
  return {
    advance: (scope, key, value, ttlMs) =>
      orStoreError('advance', backend.raise(`latest:${scope}`, key, value, now() + ttlMs, now())),
    async isLatest(scope, key, value) {
      const [held] = await orStoreError('read the latest', backend.get(`latest:${scope}`, [key], now()))
      return held === undefined || Number(held.value) <= value
    },
  }
}
