import { setTimeout as sleep } from 'node:timers/promises'
import type { Files } from '../../../slack/api/files.ts'
import { SlackUnavailableError } from '../../../slack/api/web-api.ts'
import type { TemporaryFile } from '../../../util/temporary-file.ts'
import type { Milliseconds } from '../../../util/units.ts'

const mostTries = 3
const firstWaitMs: Milliseconds = 1000
const longestWaitMs: Milliseconds = 60_000

/** Nobody reads all the calls again because Slack stumbled: what did nothing is tried again. @throws what the last try throws */
export async function withTries<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof SlackUnavailableError) || attempt >= mostTries) throw error
      const waitMs = error.retryAfterMs ?? firstWaitMs * 2 ** (attempt - 1)
      if (waitMs > longestWaitMs) throw error
      await sleep(waitMs, undefined, { signal })
    }
  }
}

/** Gives Slack the file; nobody sees it yet. @returns what `share` takes @throws as `Files.upload`, and the signal's reason */
export async function upload(
  files: Files,
  { token, name, file, signal }: { token: string; name: string; file: TemporaryFile; signal: AbortSignal },
): Promise<{ readonly id: string; readonly name: string }> {
  const id = await withTries(
    () => files.upload(token, { name, bytes: file.size, content: file.content(signal) }),
    signal,
  )
  return { id, name }
}

/** Puts it into the direct message, at most once. @throws as `Files.share` */
export const share = (
  files: Files,
  { token, file, channel }: { token: string; file: { id: string; name: string }; channel: string },
): Promise<'shared' | 'unknown'> => withTries(() => files.share(token, file, channel))
