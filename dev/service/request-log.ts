import type { Milliseconds } from '../../src/util/units.ts'
import type { Operation } from './types.ts'

export interface LoggedRequest {
  readonly at: Date
  readonly method: string
  readonly operation: Operation
  /** All parameters except the key and the secret. */
  readonly params: Readonly<Record<string, string>>
  readonly credentials: 'accepted' | 'refused' | 'missing'
  readonly account: string | undefined
  /** The HTTP status; `undefined` before and without a response. */
  readonly status: number | undefined
  readonly ms: Milliseconds | undefined
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

export class RequestLog {
  readonly #limit: number
  readonly #counts = new Map<Operation, number>()
  #entries: LoggedRequest[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** @returns a function that records the status of the response */
  add(request: Omit<LoggedRequest, 'status' | 'ms'>): (status: number) => void {
    const start = performance.now()
    const entry: Writable<LoggedRequest> = { ...request, status: undefined, ms: undefined }
    this.#entries.push(entry)
    if (this.#entries.length > this.#limit) this.#entries.shift()
    this.#counts.set(request.operation, (this.#counts.get(request.operation) ?? 0) + 1)
    return (status) => {
      entry.status = status
      entry.ms = performance.now() - start
    }
  }

  entries(operation?: Operation): readonly LoggedRequest[] {
    return this.#entries.filter((entry) => operation === undefined || entry.operation === operation)
  }

  /** Number of requests since the start or the last `clear`, including those that were dropped from the log. */
  count(operation?: Operation): number {
    if (operation) return this.#counts.get(operation) ?? 0
    return this.#counts.values().reduce((sum, count) => sum + count, 0)
  }

  clear(): void {
    this.#entries = []
    this.#counts.clear()
  }
}
