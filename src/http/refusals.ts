/** `unsigned`: not from Slack, whose requests always have a signature. */
const refusalStatuses = {
  unsigned: 401,
  signature: 401,
  timestamp: 401,
  cut: 408,
  'too-large': 413,
  crowded: 503,
  stopping: 503,
} as const

export type RefusalReason = keyof typeof refusalStatuses
export const refusalReasons: readonly string[] = Object.keys(refusalStatuses)

/** Answers the request with the reason's status, and closes its connection. */
export class RefusedRequestError extends Error {
  override readonly name = this.constructor.name
  readonly reason

  constructor(reason: RefusalReason) {
    super(`refused: ${reason}`)
    this.reason = reason
  }

  get status(): number {
    return refusalStatuses[this.reason]
  }
}
