import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Log } from '../../log.ts'
import { getErrorCode, type HttpResponse, isUnsent } from '../../util/send-request.ts'
import type { Milliseconds } from '../../util/units.ts'
import { type RequestFailure, SlackFailure } from './slack-failure.ts'
import { isSlackCode, parseSlackResponse } from './slack-json.ts'
import { postTo } from './web-api.ts'

const TIMEOUT_MS: Milliseconds = 5000
const RESEND_DELAY_MS: Milliseconds = 200
/** A longer `Retry-After` ends the attempts, because a person is waiting. */
const MAX_RETRY_WAIT_MS: Milliseconds = 3000

type DeliveryResult = { readonly kind: 'sent' } | RequestFailure

/** Slack sends `ok` or JSON, and errors under any status. */
function toDeliveryResult({ status, headers, text }: HttpResponse): DeliveryResult {
  // One second if Slack sends no readable header.
  const retrySeconds = Number(headers['retry-after']) || 1
  if (status === 429) return { kind: 'not-now', retryAfterMs: retrySeconds * 1000 }
  const hasSuccessStatus = status < 300
  const body = text.trim()
  if (hasSuccessStatus && (body === '' || body === 'ok')) return { kind: 'sent' }
  const response = parseSlackResponse(text)
  if (hasSuccessStatus && response?.ok) return { kind: 'sent' }
  // Some errors are a bare word instead of JSON. With a success status, a gateway may have written the word.
  const bareCode = hasSuccessStatus ? undefined : body
  const code = response ? response.error : bareCode
  // A server that failed may have posted the message before.
  if (status < 500 && isSlackCode(code)) return { kind: 'refused', code }
  return { kind: 'unknown' }
}

/** Unlike Bolt's `respond()`, `post` returns the code with which Slack refuses a message. */
export class ResponseUrls {
  readonly #services

  constructor(services: { dispatcher: Dispatcher; log: Pick<Log, 'info'> }) {
    this.#services = services
  }

  /** Retries once if Slack is unavailable: only one person would see the message twice. */
  async post(responseUrl: string, json: string | Buffer): Promise<DeliveryResult> {
    const result = await this.#postOnce(responseUrl, json)
    if (result.kind === 'sent' || result.kind === 'refused') return result
    const retryAfterMs = result.kind === 'not-now' ? result.retryAfterMs : undefined
    const delayMs = retryAfterMs ?? RESEND_DELAY_MS
    if (delayMs > MAX_RETRY_WAIT_MS) return result
    await sleep(delayMs)
    return this.#postOnce(responseUrl, json)
  }

  /** Deletes the clicked message for everyone. @throws {SlackFailure} */
  async remove(responseUrl: string): Promise<void> {
    // Slack accepts no other field beside `delete_original`.
    const result = await this.post(responseUrl, JSON.stringify({ delete_original: true }))
    if (result.kind === 'sent') return
    throw new SlackFailure("a message wasn't removed", result)
  }

  async #postOnce(responseUrl: string, json: string | Buffer): Promise<DeliveryResult> {
    const { dispatcher, log } = this.#services
    const content = { headers: { 'content-type': 'application/json; charset=utf-8' }, body: json }
    try {
      const response = await postTo(dispatcher, responseUrl, content, TIMEOUT_MS)
      const result = toDeliveryResult(response)
      if (result.kind !== 'sent') {
        log.info({ ...result, status: response.status }, 'Slack did not accept an answer')
      }
      return result
    } catch (error) {
      log.info({ code: getErrorCode(error) }, 'Slack did not accept an answer')
      if (isUnsent(error)) return { kind: 'not-now', retryAfterMs: undefined }
      return { kind: 'unknown' }
    }
  }
}
