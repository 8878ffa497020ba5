import type { Milliseconds } from '../util/units.ts'

export type Operation = 'incoming' | 'outgoing' | 'agents' | 'billing' | 'invoices'

/** `resting`: the circuit breaker is open, so nothing was sent. */
export type UnavailableReason = 'status' | 'timeout' | 'connection' | 'not-json' | 'envelope' | 'resting'

export type RequestOutcome = 'ok' | 'credentials-rejected' | 'refused' | 'rate-limited' | UnavailableReason

/**
 * Failure of a request to the service. The messages are for logs (slack/deliver/failures.ts has those for people), and contain
 * no URL, key or secret.
 */
export abstract class TelephonyError extends Error {
  readonly outcome: RequestOutcome
  readonly operation: Operation

  constructor(outcome: RequestOutcome, message: string, operation: Operation, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.outcome = outcome
    this.operation = operation
  }
}

/** 401. */
export class CredentialsRejectedError extends TelephonyError {
  constructor(operation: Operation) {
    super('credentials-rejected', 'the key and secret are not accepted', operation)
  }
}

/** 400. */
export class RequestRefusedError extends TelephonyError {
  constructor(operation: Operation) {
    super('refused', 'the service refused the request', operation)
  }
}

/** 429. */
export class RateLimitedError extends TelephonyError {
  /** The wait that the service asked for; `undefined` if it named none. */
  readonly retryAfterMs: Milliseconds | undefined

  constructor(operation: Operation, retryAfterMs: Milliseconds | undefined) {
    super('rate-limited', 'the service limits the rate', operation)
    this.retryAfterMs = retryAfterMs
  }
}

/** 5xx, a timeout, a cut connection, a body that isn't JSON or lacks the envelope. */
export class ServiceUnavailableError extends TelephonyError {
  readonly reason: UnavailableReason
  /** HTTP's status, or the one inside the envelope; `undefined` without a response. */
  readonly status: number | undefined
  /** Whether the request may have reached the service, and may have been carried out. */
  readonly sent: boolean

  constructor(
    operation: Operation,
    reason: UnavailableReason,
    { status, sent = true, cause }: ErrorOptions & { status?: number; sent?: boolean } = {},
  ) {
    super(reason, `the service is unavailable: ${reason}${status ? ` ${status}` : ''}`, operation, { cause })
    this.reason = reason
    this.status = status
    this.sent = sent
  }
}

/** A reading ended early: its time is over, or it has reached its limit of calls. */
export class ReadingCutError extends Error {
  override readonly name = 'ReadingCutError'
  readonly why

  constructor(why: 'time' | 'calls') {
    super(`the reading was cut: ${why}`)
    this.why = why
  }
}
