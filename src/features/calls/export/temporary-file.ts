import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'

const chunkBytes = 256 * 1024

/** A file without a name, so that nobody else sees it, and nothing is left of it however the process ends. */
export class TemporaryFile {
  readonly #handle: FileHandle
  #size = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** @throws what the file system fails with, as everything here does */
  static async open(): Promise<TemporaryFile> {
    const path = join(tmpdir(), `callboard-${randomUUID()}`)
    const handle = await open(path, 'wx+', 0o600)
    try {
      await unlink(path)
    } catch (error) {
      await handle.close()
      throw error
    }
    return new TemporaryFile(handle)
  }

  /** In bytes. */
  get size(): number {
    return this.#size
  }

  async append(chunk: Uint8Array): Promise<void> {
    await this.#handle.appendFile(chunk)
    this.#size += chunk.length
  }

  /** The whole of it, as often as it is asked for. @param signal ends the reading with its reason */
  content(signal: AbortSignal): Readable {
    const content = Readable.from(this.#chunks(), { objectMode: false })
    // It may fail before whoever reads it listens: an error that nobody listens to would end the process.
    content.on('error', () => {})
    return addAbortSignal(signal, content)
  }

  /** Once nothing of it is being written or read. */
  close(): Promise<void> {
    return this.#handle.close()
  }

  async *#chunks(): AsyncGenerator<Buffer, void> {
    for (let at = 0; ; ) {
      const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(chunkBytes), 0, chunkBytes, at)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  }
}
