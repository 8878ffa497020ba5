import type { Milliseconds } from '../../src/util/units.ts'
import type { Operation } from './types.ts'

export interface LoggedRequest {
  readonly at: Date
  readonly method: string
  readonly operation: Operation
  /** Every parameter but the key and the secret. */
  readonly params: Readonly<Record<string, string>>
  readonly credentials: 'accepted' | 'refused' | 'missing'
  /** The account's name, where the pair was accepted. */
  readonly account: string | undefined
  /** The HTTP status; `undefined` while there is no response, and where there never was one. */
  readonly status: number | undefined
  /** How long the response took; `undefined` while there is none. */
  readonly ms: Milliseconds | undefined
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** The latest requests, a bounded number of them. */
export class RequestLog {
  readonly #limit: number
  readonly #counts = new Map<Operation, number>()
  /** A ring: `#next` is where the next entry goes, over the oldest once it is full. */
  #ring: LoggedRequest[] = []
  #next = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** @returns what is called with the status once there is a response. */
  add(request: Omit<LoggedRequest, 'status' | 'ms'>): (status: number) => void {
    const start = performance.now()
    const entry: Writable<LoggedRequest> = { ...request, status: undefined, ms: undefined }
    this.#ring[this.#next] = entry
    this.#next = (this.#next + 1) % this.#limit
    this.#counts.set(request.operation, (this.#counts.get(request.operation) ?? 0) + 1)
    return (status) => {
      entry.status = status
      entry.ms = performance.now() - start
    }
  }

  /** Oldest first. */
  entries(operation?: Operation): readonly LoggedRequest[] {
    const isFull = this.#ring.length === this.#limit
    const inOrder = isFull
      ? [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)]
      : [...this.#ring]
    return operation ? inOrder.filter((entry) => entry.operation === operation) : inOrder
  }

  /** How many there were since the start or the last `clear`, however many are kept. */
  count(operation?: Operation): number {
    if (operation) return this.#counts.get(operation) ?? 0
    return this.#counts.values().reduce((sum, count) => sum + count, 0)
  }

  clear(): void {
    this.#ring = []
    this.#next = 0
    this.#counts.clear()
  }
}
