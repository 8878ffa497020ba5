import type { Operation } from './types.ts'

export type CredentialsSeen = 'accepted' | 'refused' | 'missing'

export interface SeenRequest {
  readonly at: Date
  readonly method: string
  readonly operation: Operation
  /** Every parameter but the key and the secret. */
  readonly params: Readonly<Record<string, string>>
  readonly credentials: CredentialsSeen
  /** The account's name, where the pair was accepted. */
  readonly account: string | undefined
  /** The HTTP status; `undefined` while there is no answer, and where there never was one. */
  readonly status: number | undefined
  /** How long the answer took; `undefined` while there is none. */
  readonly ms: number | undefined
}

export interface RequestLog {
  /** The latest requests, oldest first; a bounded number of them. */
  entries(operation?: Operation): readonly SeenRequest[]
  /** How many there were since the start or the last `clear`, however many are kept. */
  count(operation?: Operation): number
  clear(): void
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

export class BoundedRequestLog implements RequestLog {
  readonly #limit: number
  readonly #counts = new Map<Operation, number>()
  /** A ring: `#next` is where the next entry goes, over the oldest once it is full. */
  #ring: SeenRequest[] = []
  #next = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** @returns what is called with the status once there is an answer. */
  add(request: Omit<SeenRequest, 'status' | 'ms'>): (status: number) => void {
    const start = performance.now()
    const entry: Writable<SeenRequest> = { ...request, status: undefined, ms: undefined }
    this.#ring[this.#next] = entry
    this.#next = (this.#next + 1) % this.#limit
    this.#counts.set(request.operation, (this.#counts.get(request.operation) ?? 0) + 1)
    return (status) => {
      entry.status = status
      entry.ms = performance.now() - start
    }
  }

  entries(operation?: Operation): readonly SeenRequest[] {
    const inOrder =
      this.#ring.length < this.#limit
        ? [...this.#ring]
        : [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)]
    return operation ? inOrder.filter((entry) => entry.operation === operation) : inOrder
  }

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
