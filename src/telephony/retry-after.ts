import type { EpochMs, Milliseconds } from '../util/units.ts'

const maxWaitMs: Milliseconds = 365 * 86_400_000

/** RFC 9110, 5.6.7: the three ways to write an HTTP date; all of them begin with the day's name. */
const httpDate = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/

/**
 * How long the service asked us to wait, from seconds or an HTTP date; `undefined` where it said nothing that can be
 * understood.
 */
export function parseRetryAfter(
  value: string | string[] | undefined,
  now: EpochMs,
): Milliseconds | undefined {
  const text = Array.isArray(value) ? value[0] : value
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxWaitMs)
  if (!httpDate.test(text)) return undefined
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), maxWaitMs)
}
