import type { Milliseconds } from '../util/units.ts'
import type { ScanProgress } from './types.ts'

export type Operation = 'incoming' | 'outgoing' | 'agents' | 'billing' | 'invoices'

/** `resting`: its circuit breaker is open; nothing was sent. */
export type UnavailableReason = 'status' | 'timeout' | 'connection' | 'not-json' | 'envelope' | 'resting'

export type RequestOutcome =
  | 'ok'
  | 'credentials-rejected'
  | 'refused'
  | 'rate-limited'
  | 'busy'
  | UnavailableReason

/**
 * What can go wrong with the service, by cause. No message here is for people (slack/deliver/failures.ts
 * has the words), and none holds a URL, a key or a secret.
 */
export abstract class TelephonyError extends Error {
  readonly outcome: RequestOutcome
  readonly operation: Operation
  /** The status of the response, or the one inside its envelope; `undefined` where none arrived. */
  readonly status: number | undefined

  constructor(
    outcome: RequestOutcome,
    message: string,
    operation: Operation,
    { status, ...options }: ErrorOptions & { status?: number | undefined } = {},
  ) {
    super(message, options)
    this.name = new.target.name
    this.outcome = outcome
    this.operation = operation
    this.status = status
  }
}

/** 401: the pair of key and secret is not accepted. */
export class CredentialsRejectedError extends TelephonyError {
  constructor(operation: Operation) {
    super('credentials-rejected', 'the key and secret are not accepted', operation, { status: 401 })
  }
}

export class RequestRefusedError extends TelephonyError {
  constructor(operation: Operation) {
    super('refused', 'the service refused the request', operation, { status: 400 })
  }
}

/** The service answered with 429. */
export class RateLimitedError extends TelephonyError {
  /** How long the service asked us to wait; `undefined` where it did not say. */
  readonly retryAfterMs: Milliseconds | undefined

  constructor(operation: Operation, retryAfterMs: Milliseconds | undefined) {
    super('rate-limited', 'the service limits the rate', operation, { status: 429 })
    this.retryAfterMs = retryAfterMs
  }
}

/** The tenant has more requests waiting than is good for it; nothing was sent. */
export class TooManyWaitingError extends TelephonyError {
  constructor(operation: Operation) {
    super('busy', 'too many requests of the tenant are waiting', operation)
  }
}

/** 5xx, a time-out, a cut connection, a body that is not JSON or not the envelope. */
export class ServiceUnavailableError extends TelephonyError {
  readonly reason: UnavailableReason
  /** Whether the request may have reached the service, and may have been carried out there. */
  readonly sent: boolean

  constructor(
    operation: Operation,
    reason: UnavailableReason,
    { status, sent = true, cause }: ErrorOptions & { status?: number | undefined; sent?: boolean } = {},
  ) {
    const message = `the service is unavailable: ${reason}${status ? ` ${status}` : ''}`
    super(reason, message, operation, { status, cause })
    this.reason = reason
    this.sent = sent
  }
}

/** A scan ended before its end: the service stayed away, or asked for too long a wait. Its `cause` is the last error. */
export class ScanInterruptedError extends TelephonyError {
  readonly progress: ScanProgress
  declare readonly cause: RateLimitedError | ServiceUnavailableError

  constructor(cause: RateLimitedError | ServiceUnavailableError, progress: ScanProgress) {
    const { outcome, message, operation, status } = cause
    super(outcome, `the scan was interrupted: ${message}`, operation, { status, cause })
    this.progress = progress
  }
}

/** The calls were not read to their end: there was no more time, or there are more of them than are read. */
export class ReadingCutError extends Error {
  override readonly name = 'ReadingCutError'
  readonly why

  constructor(why: 'time' | 'calls') {
    super(`the reading was cut: ${why}`)
    this.why = why
  }
}
