import type { TenantKey } from '../store/tenant.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

const minuteMs: Milliseconds = 60_000
/** As long as nothing is to be gained by looking more often. */
export const longestPaceMs = 10 * minuteMs
/** The service may ask for a longer wait than that; then it is taken at its word up to here. */
const longestWaitMs = 60 * minuteMs
/** A look that takes longer slows the next ones down. */
const slowMs: Milliseconds = 5000
const slowFactor = 10

/** FNV-1a, https://datatracker.ietf.org/doc/html/draft-eastlake-fnv: as even as is needed here, and hardly any work. */
function spreadHash(text: string): number {
  let hashed = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1)
    hashed = Math.imul(hashed ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hashed
}

/** When in each interval a tenant's looks are, so that those of all tenants are spread over it. */
export const phaseOf = (tenant: TenantKey, everyMs: Milliseconds): Milliseconds =>
  spreadHash(tenant) % everyMs

/** The tenant's first turn after an instant. */
export function turnAfter(tenant: TenantKey, everyMs: Milliseconds, after: EpochMs): EpochMs {
  const phase = phaseOf(tenant, everyMs)
  return (Math.floor((after - phase) / everyMs) + 1) * everyMs + phase
}

/** How a look went. */
export interface LookCourse {
  readonly tookMs: Milliseconds
  /** How many failed in a row, this one included. */
  readonly failures: number
  /** How long the service asked to wait. */
  readonly retryAfterMs?: Milliseconds | undefined
  /** Whether none of the alerts can be posted. */
  readonly isIdle: boolean
}

/** How long it is at least to the next look. */
export function paceOf(everyMs: Milliseconds, course: LookCourse): Milliseconds {
  const { tookMs, failures, retryAfterMs = 0, isIdle } = course
  // The next turn may do better; from then on it takes ever longer.
  const backedOff = everyMs * 2 ** Math.min(Math.max(0, failures - 1), 10)
  // What a failure took, with what was tried again, says nothing of how fast the account answers.
  const slowed = failures === 0 && tookMs > slowMs ? tookMs * slowFactor : everyMs
  const pace = Math.min(Math.max(backedOff, slowed, isIdle ? longestPaceMs : 0), longestPaceMs)
  return Math.max(pace, everyMs, Math.min(retryAfterMs, longestWaitMs))
}

/** When the next look is: on one of the tenant's turns, unless the service asked to wait for longer. */
export function nextLook(
  tenant: TenantKey,
  everyMs: Milliseconds,
  course: LookCourse,
  now: EpochMs,
): EpochMs {
  const turn = turnAfter(tenant, everyMs, now + paceOf(everyMs, course) - everyMs)
  return Math.max(turn, now + Math.min(course.retryAfterMs ?? 0, longestWaitMs))
}
