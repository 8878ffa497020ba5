import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { BoundedMap } from '../../util/bounded-map.ts'
import { isUnsent, withoutUrl } from '../../util/send-request.ts'
import { type Milliseconds, minuteMs } from '../../util/units.ts'
import { postTo, SlackUnavailableError } from './web-api.ts'

const refusal = z.object({ error: z.string() })

const tries = 2
/** https://docs.slack.dev/interactivity/handling-user-interaction#message_responses: within 30 minutes. */
const mostUses = 5
const timeoutMs: Milliseconds = 5000
/** A person is waiting: a longer wait than this is not sat out. */
const longestWaitMs: Milliseconds = 3000

/** Slack answers `ok` or JSON; an error may come under any status. */
function errorCode(status: number, text: string): string | undefined {
  if (status < 300 && !text.includes('"ok":false') && !text.includes('"error"')) return undefined
  try {
    const parsed = refusal.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data.error
  } catch {
    // Not JSON: Slack answers some refusals with a bare word.
  }
  return /^[a-z_]{3,60}$/.test(text.trim()) ? text.trim() : `http_${status}`
}

/** `unknown`: what everyone in the channel sees may be there, or not, and Slack has no way to ask for it once. */
type UrlResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unknown' }

/** Bolt's `respond()` drops the code that Slack refuses with; this returns it. */
export class ResponseUrls {
  readonly #dispatcher: Dispatcher
  /** How often each was posted to. */
  readonly #uses = new BoundedMap<number>({ max: 20_000, ttlMs: 30 * minuteMs })

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher
  }

  /**
   * Posts to a `response_url`, which takes five posts: no more are sent. What one person sees is sent once more where Slack
   * can't be reached or fails, if another post has room after that; what everyone sees only where it is known not to have
   * arrived.
   * @param json the message, and what is to become of it
   * @returns a refusal with its code, such as `invalid_blocks` or `expired_url`
   * @throws {SlackUnavailableError} where Slack can't be reached
   */
  async post(responseUrl: string, json: string, { isPublic = false } = {}): Promise<UrlResult> {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    for (let attempt = 1; ; attempt += 1) {
      const uses = (this.#uses.get(responseUrl) ?? 0) + 1
      if (uses > mostUses) return { kind: 'refused', code: 'used_url' }
      this.#uses.set(responseUrl, uses)
      const isLast = attempt === tries || uses >= mostUses - 1
      try {
        const response = await postTo(this.#dispatcher, responseUrl, {
          headers,
          body: json,
          timeoutMs,
        })
        const { status, text } = response
        if (isPublic && status >= 500) return { kind: 'unknown' }
        const waitMs = status === 429 ? Number(response.headers['retry-after'] ?? 1) * 1000 : 200
        const isTransient = status === 429 || status >= 500
        if (!isTransient || isLast || !(waitMs <= longestWaitMs)) {
          const code = errorCode(status, text)
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

  /** Takes the message that was clicked away, whoever sees it. @throws {SlackUnavailableError} */
  async remove(responseUrl: string): Promise<void> {
    // Slack wants it to stand alone.
    const result = await this.post(responseUrl, JSON.stringify({ delete_original: true }))
    if (result.kind !== 'sent')
      throw new SlackUnavailableError(`Slack: a message's removal was ${result.kind}`)
  }
}
