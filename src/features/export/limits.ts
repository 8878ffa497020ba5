import { EventEmitter, once } from 'node:events'
import type { Milliseconds } from '../../util/units.ts'

/** Fits a spreadsheet's million rows, and half an hour of reading. */
export const MAX_CALLS = 200_000
export const MAX_RUN_MS: Milliseconds = 60 * 60_000
/** Exports of all workspaces that one process runs at the same time. */
export const MAX_RUNNING = 40

/** Names of agents and lines included; 200,000 calls took 30 MB. */
const BYTES_PER_CALL = 200
/** Files up to this size never wait: forty of them take 20 MB. */
const SMALL_FILE_BYTES = 500_000
/** Memory for all larger files: 100 MB, less those 20 MB. */
const LARGE_FILES_BYTES = 80_000_000

/** Thrown for an export that exceeds a limit; fewer days help. */
export class ExportLimitError extends Error {
  override readonly name = 'ExportLimitError'
  readonly limit

  constructor(limit: 'too-slow' | 'too-large') {
    super(`export ${limit}`)
    this.limit = limit
  }
}

/** Returns the memory to reserve for a file. @param calls undefined if the count is unknown */
export const fileBytes = (calls: number = MAX_CALLS): number =>
  Math.max(SMALL_FILE_BYTES, Math.min(calls, MAX_CALLS) * BYTES_PER_CALL)

/** Limits the memory that the files of all running exports take. */
export class FileMemory {
  readonly #released = new EventEmitter().setMaxListeners(0)
  #free = LARGE_FILES_BYTES

  /** Resolves once the file fits. @throws the signal's reason */
  async reserve(bytes: number, signal: AbortSignal): Promise<void> {
    if (bytes <= SMALL_FILE_BYTES) return
    while (bytes > this.#free) await once(this.#released, 'released', { signal })
    this.#free -= bytes
  }

  release(bytes: number): void {
    if (bytes <= SMALL_FILE_BYTES) return
    this.#free += bytes
    this.#released.emit('released')
  }
}
