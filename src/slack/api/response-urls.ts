import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { isUnsent, withoutUrl } from '../../util/send-request.ts'
import type { Milliseconds } from '../../util/units.ts'
import { postTo, SlackUnavailableError } from './web-api.ts'

const refusalSchema = z.object({ error: z.string() })

const MAX_TRIES = 2
const TIMEOUT_MS: Milliseconds = 5000
/** A person is waiting, so a longer `Retry-After` isn't waited for. */
const MAX_RETRY_WAIT_MS: Milliseconds = 3000

/** Finds the error code in a response: Slack sends `ok` or JSON, and errors under any status. */
function findErrorCode(status: number, text: string): string | undefined {
  if (status < 300 && !text.includes('"ok":false') && !text.includes('"error"')) return undefined
  try {
    const parsed = refusalSchema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data.error
  } catch {
    // Some refusals are a bare word instead of JSON.
  }
  return /^[a-z_]{3,60}$/.test(text.trim()) ? text.trim() : `http_${status}`
}

/** `unknown`: a public message may have been posted, and Slack offers no way to post it once. */
type UrlResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unknown' }

/** Posts to `response_url`s. Unlike Bolt's `respond()`, it returns the code with which Slack refuses a message. */
export class ResponseUrls {
  readonly #dispatcher: Dispatcher

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher
  }

  /**
   * Posts a message. Retries once if Slack is unavailable; a public message only if it certainly didn't arrive.
   * @param json the message and its envelope
   * @throws {SlackUnavailableError} if Slack can't be reached
   */
  async post(responseUrl: string, json: string, { isPublic = false } = {}): Promise<UrlResult> {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === MAX_TRIES
      try {
        const response = await postTo(this.#dispatcher, responseUrl, { headers, body: json }, TIMEOUT_MS)
        const { status, text } = response
        if (isPublic && status >= 500) return { kind: 'unknown' }
        const waitMs = status === 429 ? Number(response.headers['retry-after'] ?? 1) * 1000 : 200
        const isTransient = status === 429 || status >= 500
        if (!isTransient || isLast || !(waitMs <= MAX_RETRY_WAIT_MS)) {
          const code = findErrorCode(status, text)
          return code === undefined ? { kind: 'sent' } : { kind: 'refused', code }
        }
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      } catch (error) {
        if (isPublic && !isUnsent(error)) return { kind: 'unknown' }
        if (isLast)
          throw new SlackUnavailableError('Slack: response_url failed', { cause: withoutUrl(error) })
      }
    }
  }

  /** Deletes the message that was clicked, for everyone. @throws {SlackUnavailableError} */
  async remove(responseUrl: string): Promise<void> {
    // Slack accepts no other field beside it.
    const result = await this.post(responseUrl, JSON.stringify({ delete_original: true }))
    if (result.kind !== 'sent')
      throw new SlackUnavailableError(`Slack: a message's removal was ${result.kind}`)
  }
}
