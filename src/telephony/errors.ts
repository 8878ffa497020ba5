export type Operation = 'incoming' | 'outgoing' | 'agents' | 'billing' | 'invoices'

/**
 * What can go wrong with the service, by cause. No message here is for people (slack/apologies.ts
 * has the words), and none holds a URL, a key or a secret.
 */
export abstract class TelephonyError extends Error {
  readonly operation: Operation

  constructor(message: string, operation: Operation, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.operation = operation
  }
}

/** 401: the pair of key and secret is not accepted. */
export class CredentialsRejectedError extends TelephonyError {}

/** 400: the service refused what was asked. */
export class RequestRefusedError extends TelephonyError {}

/** 429 with a wait that is too long to sit out. */
export class RateLimitedError extends TelephonyError {
  /** How long the service asked us to wait; `undefined` where it did not say. */
  readonly retryAfterMs: number | undefined

  constructor(operation: Operation, retryAfterMs: number | undefined, options?: ErrorOptions) {
    super('the service limits the rate', operation, options)
    this.retryAfterMs = retryAfterMs
  }
}

export type UnavailableReason = 'status' | 'timeout' | 'connection' | 'not-json' | 'envelope'

/** 5xx, a time-out, a cut connection, a body that is not JSON or not the envelope. */
export class ServiceUnavailableError extends TelephonyError {
  readonly reason: UnavailableReason
  /** The HTTP status, where one arrived. */
  readonly status: number | undefined

  constructor(operation: Operation, reason: UnavailableReason, options?: ErrorOptions & { status?: number }) {
    super(
      `the service is unavailable: ${reason}${options?.status ? ` ${options.status}` : ''}`,
      operation,
      options,
    )
    this.reason = reason
    this.status = options?.status
  }
}
