import type { Backend } from './backend.ts'
import { orStoreError } from './errors.ts'

export interface Claims {
  /** `true` for exactly one of any number of callers, in any process, until `ttlMs` have gone by. */
  claim(scope: string, key: string, ttlMs: number): Promise<boolean>
  isClaimed(scope: string, key: string): Promise<boolean>
  /** Keeps what this caller has claimed for `ttlMs` from now. */
  renew(scope: string, key: string, ttlMs: number): Promise<void>
  /** Gives back what was claimed, for somebody else to claim. */
  release(scope: string, key: string): Promise<void>
}

export interface Latest {
  /** Notes `value` where it is greater than what was noted: `true` if it now is the greatest. Atomic. */
  advance(scope: string, key: string, value: number, ttlMs: number): Promise<boolean>
  /** `true` while nothing greater was noted. */
  isLatest(scope: string, key: string, value: number): Promise<boolean>
}

// keyv has no compare-and-set: these two go to the database's own statements.

export function createClaims(backend: Backend, now: () => number): Claims {
  return {
    claim: (scope, key, ttlMs) =>
      orStoreError(
        'claim',
        backend.insert(`claim:${scope}`, { key, value: '1', expires: now() + ttlMs }, now()),
      ),
    async isClaimed(scope, key) {
      const rows = await orStoreError('read a claim', backend.get(`claim:${scope}`, [key], now()))
      return rows.length > 0
    },
    renew: (scope, key, ttlMs) =>
      orStoreError(
        'renew a claim',
        backend.set(`claim:${scope}`, { key, value: '1', expires: now() + ttlMs }),
      ),
    async release(scope, key) {
      await orStoreError('release a claim', backend.delete(`claim:${scope}`, [key]))
    },
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
