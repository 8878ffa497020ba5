import type { Services } from '../services.ts'
import type { MissedCall } from '../store/alerts.ts'
import * as missedCalls from '../store/missed-calls.ts'
import type { TenantKey } from '../store/tenant.ts'
import { MAX_LINE_LENGTH } from '../telephony/lines.ts'
import { type Call, getShortId } from '../telephony/types.ts'
import { createCache } from '../util/cache.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

/** @param at the call's time, or that of the poll if the call has none that makes sense */
export const toMissedCall = (call: Call, at: EpochMs): MissedCall => ({
  id: getShortId(call),
  at,
  line: call.number.slice(0, MAX_LINE_LENGTH),
})

/** Returns undefined for calls that alerts don't post, and for those without a readable time. */
export function findMissedCallId(call: Call): string | undefined {
  const { direction, status, at } = call
  if (direction !== 'incoming' || status !== 'missed' || !(at instanceof Date)) return undefined
  return missedCalls.toMissedCallId(toMissedCall(call, at.getTime()))
}

/** Who takes care of missed calls, by the calls' ids. */
export type CallStates = ReadonlyMap<string, missedCalls.MissedCallRecord>

/** Long enough for a few pages of a list. */
const HAS_RECORDS_TTL_MS: Milliseconds = 10_000

export class CallStateReader {
  readonly #missedCalls
  /** Whether a tenant has any record. Without alerts, it has none, so no call has to be looked up. */
  readonly #knownToHaveRecords

  constructor({ store, now }: Pick<Services, 'store' | 'now'>) {
    this.#missedCalls = store.missedCalls
    this.#knownToHaveRecords = createCache<boolean>({ max: 10_000, ttlMs: HAS_RECORDS_TTL_MS, now })
  }

  /** Reads the states that a person may see: not those of other people's direct messages. @throws {StoreError} */
  async read(tenant: TenantKey, person: string, calls: readonly Call[]): Promise<CallStates> {
    const states = new Map<string, missedCalls.MissedCallRecord>()
    if (!calls.some(findMissedCallId)) return states
    const hasRecords = await this.#checkForRecords(tenant)
    if (!hasRecords) return states
    const ids = calls.map(findMissedCallId).filter((id) => id !== undefined)
    await missedCalls.inBatches(ids, async (id) => {
      const state = await this.#missedCalls.get(tenant, id)
      if (state && missedCalls.isShownTo(state, person)) states.set(id, state)
    })
    return states
  }

  async #checkForRecords(tenant: TenantKey): Promise<boolean> {
    const cached = this.#knownToHaveRecords.get(tenant)
    if (cached !== undefined) return cached
    const first = await this.#missedCalls.scanAfter(tenant, '').next()
    const hasRecords = first.done !== true
    this.#knownToHaveRecords.set(tenant, hasRecords)
    return hasRecords
  }
}

/** `Ben Okoro has it`, `done by Ben Okoro`; empty for a call that waits. Not escaped. */
export function describeState(state: Pick<missedCalls.MissedCallRecord, 'taken' | 'done'> | undefined) {
  if (state?.done) return `done by ${state.done.name}`
  if (state?.taken) return `${state.taken.name} has it`
  return ''
}
