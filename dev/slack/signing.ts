import { createHmac } from 'node:crypto'
import { type Dispatcher, request } from 'undici'

export interface Answer {
  readonly status: number
  readonly ms: number
  /** Parsed where it is JSON; the text where it is not; undefined where it is empty. */
  readonly body: unknown
  readonly text: string
  readonly isJson: boolean
}

/**
 * Slack's `v0` signature of a body.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 * @param at seconds since 1970
 */
export function signedHeaders(body: string, secret: string, at: number): Record<string, string> {
  const mac = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')
  return { 'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${mac}` }
}

/** Posts to the app as Slack does. @throws the connection's own error, or one named TimeoutError after `timeoutMs`. */
export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  dispatcher: Dispatcher,
  timeoutMs: number,
): Promise<Answer> {
  const started = performance.now()
  const response = await request(url, {
    method: 'POST',
    headers: { 'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)', ...headers },
    body,
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.body.text()
  const ms = performance.now() - started
  const isJson = String(response.headers['content-type'] ?? '').includes('application/json')
  return { status: response.statusCode, ms, text, isJson, body: parse(text) }
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
