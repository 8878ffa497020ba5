import { hash } from 'node:crypto'
import type { LocalDay } from '../time/days.ts'
import type { UtcOffset } from '../time/zones.ts'
import { countPages, type Pages } from '../util/paging.ts'
import type { Milliseconds } from '../util/units.ts'

export type Direction = 'incoming' | 'outgoing'
export type CallStatus = 'answered' | 'missed'

export interface Account {
  /** Separates the requests of workspaces; it is never sent. */
  readonly tenant: string
  /** Both travel in the query string: never log a URL of the service. */
  readonly credentials: { readonly key: string; readonly secret: string }
}

/** With other credentials, a workspace has another account. */
export const toAccountKey = ({ tenant, credentials }: Account): string => `${tenant} ${credentials.key}`

/** A value of the service that can't be parsed, as text of limited length. */
export interface Raw {
  readonly raw: string
}

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && 'raw' in value

export const formatOrRaw = <T>(value: T | Raw, format: (value: T) => string): string =>
  isRaw(value) ? value.raw : format(value)

export interface Call {
  readonly id: string
  readonly direction: Direction
  /** The dialed number of an outgoing call, the called DID of an incoming one. */
  readonly number: string
  readonly at: Date | Raw
  /** A missed call has the time that it rang, or nothing. */
  readonly seconds: number | Raw
  readonly status: CallStatus | Raw
  /** An exact decimal, never a float. */
  readonly cost: string | Raw
  /** Path of the file. */
  readonly recording: string | Raw | undefined
  /** An incoming record's `Answered`, which the spec doesn't explain. It seems to be an agent's login. */
  readonly answered?: string | undefined
}

/** Phone systems give the parts of a call one id, so it is the same call only at the same time and number. */
export function getCallIdentity(call: Call): string {
  if (call.id === '') return JSON.stringify(call)
  const { id, at, number } = call
  return `${id} ${isRaw(at) ? at.raw : at.getTime()} ${number}`
}

/** Hashes an id that isn't short and plain ASCII, such as the identity of a call without an id. */
export const toShortId = (id: string): string =>
  /^[!-~]{1,32}$/.test(id) ? id : hash('sha256', id, 'base64url').slice(0, 22)

/** The same for all calls to which the service gives one id. */
export const getShortId = (call: Call): string => toShortId(call.id || getCallIdentity(call))

export interface CallQuery {
  readonly direction: Direction
  /** Applies to `from` and `to`, and to the times of the response. */
  readonly offset: UtcOffset
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
  readonly status?: CallStatus | undefined
  readonly agentId?: string | undefined
  /** Counts from 1 in both directions. */
  readonly page: number
}

export type ReadQuery = Omit<CallQuery, 'page'>

export interface ReadProgress {
  readonly records: number
  /** The service's latest figure, which grows with new calls; `undefined` if it isn't a number. */
  readonly total: number | undefined
}

export interface CallPage {
  readonly calls: readonly Call[]
  readonly page: number
  /** Matching records on all pages; `undefined` if the service's figure isn't a number. */
  readonly total: number | undefined
}

/** Records on a page (spec, "Limits"). */
export const PAGE_SIZE = 20

export const countCallPages = ({ page, calls, total }: CallPage): Pages =>
  countPages({ page, perPage: PAGE_SIZE, rowCount: calls.length, total })

/** Whether the page has fewer calls than its total implies. */
export function isShort({ calls, page, total }: CallPage): boolean {
  if (total === undefined) return false
  return calls.length < Math.min(PAGE_SIZE, total - (page - 1) * PAGE_SIZE)
}

/** Returns undefined if one of them is unknown. */
export function sumTotals(totals: readonly (number | undefined)[]): number | undefined {
  const known = totals.filter((total) => total !== undefined)
  return known.length === totals.length ? known.reduce((sum, total) => sum + total, 0) : undefined
}

export type Operation = 'incoming' | 'outgoing' | 'agents' | 'billing' | 'invoices'

export const requestOutcomes = [
  'ok',
  'credentials-rejected', // 401
  'refused', // 400
  'rate-limited', // 429
  'status', // any other HTTP status
  'timeout',
  'connection',
  'not-json',
  'envelope', // not as in the spec, or with another status
  'resting', // the account's circuit breaker is open, so nothing was sent
  'not-continued', // the service sends the first page again in place of the next ones
] as const
export type RequestOutcome = (typeof requestOutcomes)[number]

interface FailureFacts extends ErrorOptions {
  /** From HTTP, or from the envelope; `undefined` without a response. */
  readonly status?: number
  readonly retryAfterMs?: Milliseconds | undefined
  /** Whether the service may have carried out the request. */
  readonly sent?: boolean
}

/** Failure of a request to the service. Contains no text for people, URL, key or secret. */
export class TelephonyError extends Error {
  override readonly name = 'TelephonyError'
  readonly outcome
  readonly status
  readonly retryAfterMs
  readonly sent

  constructor(outcome: Exclude<RequestOutcome, 'ok'>, facts: FailureFacts = {}) {
    const { status, retryAfterMs, sent = false, cause } = facts
    super(`request to the phone service: ${outcome} ${status ?? ''}`.trimEnd(), { cause })
    this.outcome = outcome
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.sent = sent
  }
}

export class ReadLimitError extends Error {
  override readonly name = 'ReadLimitError'
  readonly limit

  constructor(limit: 'time' | 'calls') {
    super(`reading reached its limit: ${limit}`)
    this.limit = limit
  }
}
