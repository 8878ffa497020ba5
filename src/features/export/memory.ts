import type { TenantKey } from '../../store/tenant.ts'
import { MAX_CALLS } from './view.ts'

/** 200,000 calls took 30 MB, including the names of agents and lines. */
const BYTES_PER_CALL = 200
/** Files up to this size never wait: 40 exports run at a time, so they take at most 40 MB. */
const SMALL_FILE_BYTES = 1_000_000

const MEDIUM_FILE_BYTES = 5_000_000

/** With small files, all files take at most 140 MB. */
export const estimateFileBytes = (calls: number = MAX_CALLS): number =>
  Math.max(SMALL_FILE_BYTES, Math.min(calls, MAX_CALLS) * BYTES_PER_CALL)

interface Waiting {
  readonly tenant: TenantKey
  readonly bytes: number
  readonly start: () => void
}

/** Memory for medium or large files. */
class FilePool {
  #free
  readonly #held = new Map<TenantKey, number>()
  readonly #waiting = new Set<Waiting>()

  constructor(bytes: number) {
    this.#free = bytes
  }

  /** @throws the signal's reason */
  async take(tenant: TenantKey, bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { tenant, bytes, start: resolve }
    const cancel = () => {
      this.#waiting.delete(waiting)
      reject(signal.reason)
      this.#startNext()
    }
    this.#waiting.add(waiting)
    signal.addEventListener('abort', cancel, { once: true })
    this.#startNext()
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  release(tenant: TenantKey, bytes: number): void {
    this.#hold(tenant, -bytes)
    this.#startNext()
  }

  #hold(tenant: TenantKey, bytes: number): void {
    this.#free -= bytes
    const held = this.#getHeld(tenant) + bytes
    if (held > 0) this.#held.set(tenant, held)
    else this.#held.delete(tenant)
  }

  #getHeld(tenant: TenantKey): number {
    return this.#held.get(tenant) ?? 0
  }

  /** The next one is never overtaken: it could wait for ever. */
  #startNext(): void {
    for (let next = this.#findNext(); next && next.bytes <= this.#free; next = this.#findNext()) {
      this.#waiting.delete(next)
      this.#hold(next.tenant, next.bytes)
      next.start()
    }
  }

  /** Prefers the workspace that holds the least, and then the one that came first. */
  #findNext(): Waiting | undefined {
    let next: Waiting | undefined
    for (const one of this.#waiting)
      if (!next || this.#getHeld(one.tenant) < this.#getHeld(next.tenant)) next = one
    return next
  }
}

/** Larger files wait only for files of their own class, so that short exports don't wait for long ones. */
export class FileMemory {
  readonly #medium = new FilePool(20_000_000)
  readonly #large = new FilePool(80_000_000)

  /** @throws the signal's reason */
  async reserve(tenant: TenantKey, bytes: number, signal: AbortSignal): Promise<void> {
    await this.#findPool(bytes)?.take(tenant, bytes, signal)
  }

  release(tenant: TenantKey, bytes: number): void {
    this.#findPool(bytes)?.release(tenant, bytes)
  }

  #findPool(bytes: number): FilePool | undefined {
    if (bytes <= SMALL_FILE_BYTES) return undefined
    return bytes <= MEDIUM_FILE_BYTES ? this.#medium : this.#large
  }
}
