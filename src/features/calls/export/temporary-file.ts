import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'

const chunkBytes = 256 * 1024

/** A file without a name, so that nobody else sees it, and nothing is left of it however the process ends. */
export async function openTemporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `callboard-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
  } catch (error) {
    await file.close()
    throw error
  }
  return file
}

/** The whole of a file, as often as it is asked for. @param signal ends the reading with its reason */
export function contentOf(file: FileHandle, signal: AbortSignal): Readable {
  const content = Readable.from(chunksOf(file), { objectMode: false })
  // It may fail before whoever reads it listens: an error that nobody listens to would end the process.
  content.on('error', () => {})
  return addAbortSignal(signal, content)
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer, void> {
  for (let at = 0; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
