import { FAIR_LIMITS } from '../../jobs/jobs.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { MAX_CALLS } from './view.ts'

/** 200,000 calls took 30 MB, including the names of agents and lines. */
const BYTES_PER_CALL = 200

interface Waiting {
  readonly tenant: TenantKey
  readonly start: () => void
}

/** Memory for the files of one size. */
class FileSize {
  readonly maxBytes
  readonly #maxFiles
  /** The tenant of each file, so that no workspace waits for another one's second file. */
  readonly #holders: TenantKey[] = []
  readonly #waiting: Waiting[] = []

  constructor(maxBytes: number, maxFiles: number) {
    this.maxBytes = maxBytes
    this.#maxFiles = maxFiles
  }

  /** @throws the signal's reason */
  async reserve(tenant: TenantKey, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { tenant, start: resolve }
    this.#waiting.push(waiting)
    this.#startNext()
    const cancel = () => {
      const index = this.#waiting.indexOf(waiting)
      if (index !== -1) this.#waiting.splice(index, 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', cancel, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', cancel))
  }

  release(tenant: TenantKey): void {
    this.#holders.splice(this.#holders.indexOf(tenant), 1)
    this.#startNext()
  }

  #startNext(): void {
    if (this.#holders.length >= this.#maxFiles) return
    const withoutFile = this.#waiting.findIndex(({ tenant }) => !this.#holders.includes(tenant))
    const [next] = this.#waiting.splice(Math.max(0, withoutFile), 1)
    if (!next) return
    this.#holders.push(next.tenant)
    next.start()
  }
}

/**
 * At most 140 MB for all files. Files wait only for files of their own size, so that short exports don't wait for long ones;
 * small ones never wait.
 */
export class FileMemory {
  readonly #small = new FileSize(1_000_000, FAIR_LIMITS.concurrency)
  readonly #medium = new FileSize(5_000_000, 4)
  readonly #large = new FileSize(MAX_CALLS * BYTES_PER_CALL, 2)

  /** @param calls undefined if the service doesn't say */
  findSize(calls = MAX_CALLS): FileSize {
    const bytes = calls * BYTES_PER_CALL
    if (bytes <= this.#small.maxBytes) return this.#small
    if (bytes <= this.#medium.maxBytes) return this.#medium
    return this.#large
  }
}
