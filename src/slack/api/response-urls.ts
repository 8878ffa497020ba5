import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { Deadline } from '../../util/deadline.ts'
import { SlackUnavailableError } from '../blocks/errors.ts'

export type Delivery = { readonly ok: true } | { readonly ok: false; readonly error: string }

export interface Responder {
  /**
   * Posts to a `response_url` (five times in 30 minutes). What Slack refuses comes back as its error code
   * (`invalid_blocks`, `expired_url`, `used_url`), which Bolt's `respond()` drops.
   * @throws {SlackUnavailableError} where Slack can't be reached
   */
  post(responseUrl: string, body: object): Promise<Delivery>
}

const refusal = z.object({ error: z.string() })

const tries = 2
const timeoutMs = 5000
/** A person is waiting: a longer wait than this is not sat out. */
const longestWaitMs = 3000

function errorCode(status: number, text: string): string {
  try {
    const parsed = refusal.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data.error
  } catch {
    // Not JSON: Slack answers some refusals with a bare word.
  }
  return /^[a-z_]{3,60}$/.test(text.trim()) ? text.trim() : `http_${status}`
}

/** Slack answers `ok` or JSON; an error may come under any status. */
function toDelivery(status: number, text: string): Delivery {
  const isError = status >= 300 || text.includes('"ok":false') || text.includes('"error"')
  return isError ? { ok: false, error: errorCode(status, text) } : { ok: true }
}

export function createResponder(options: { dispatcher: Dispatcher }): Responder {
  async function once({ origin, pathname, search }: URL, body: string) {
    const deadline = new Deadline(timeoutMs)
    try {
      const {
        statusCode,
        headers,
        body: answer,
      } = await options.dispatcher.request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body,
        signal: deadline.signal,
      })
      return { status: statusCode, headers, text: await answer.text() }
    } finally {
      deadline.clear()
    }
  }

  return {
    async post(responseUrl, body) {
      const url = new URL(responseUrl)
      const json = JSON.stringify(body)
      for (let attempt = 1; ; attempt += 1) {
        const last = attempt === tries
        try {
          const { status, headers, text } = await once(url, json)
          const waitMs = status === 429 ? Number(headers['retry-after'] ?? 1) * 1000 : 200
          const passing = status === 429 || status >= 500
          if (!passing || last || !(waitMs <= longestWaitMs)) return toDelivery(status, text)
          await new Promise((resolve) => setTimeout(resolve, waitMs))
        } catch (cause) {
          // A refused connection left nothing behind; anything later may have been shown, and showing it again does no harm.
          if (last) throw new SlackUnavailableError('response_url failed', { cause: withoutUrl(cause) })
        }
      }
    },
  }
}

/** A `response_url` lets whoever holds it write into the channel: it stays out of errors and logs. */
function withoutUrl(cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error('unknown')
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
  return new Error(code)
}
