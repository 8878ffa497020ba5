import { type Dispatcher, request } from 'undici'
import {
  CredentialsRejectedError,
  type Operation,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
  TelephonyError,
} from './errors.ts'
import { type Envelope, envelope } from './wire.ts'

export interface Try {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly operation: Operation
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
}

/** Milliseconds that the service asked us to wait: seconds or an HTTP date. */
export function parseRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
  const text = Array.isArray(value) ? value[0] : value
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Only the cause's code goes on: an error of the transport may hold the URL, and with it key and secret. */
function withoutUrl(cause: unknown): Error {
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  return new Error(code ?? (cause instanceof Error ? cause.name : 'unknown'))
}

function checkStatus(operation: Operation, status: number, retryAfter: string | string[] | undefined): void {
  if (status === 401) throw new CredentialsRejectedError('the key and secret are not accepted', operation)
  if (status === 400) throw new RequestRefusedError('the service refused the request', operation)
  if (status === 429) throw new RateLimitedError(operation, parseRetryAfter(retryAfter, Date.now()))
  // A redirect is not followed: it would carry key and secret elsewhere.
  if (status !== 200) throw new ServiceUnavailableError(operation, 'status', { status })
}

function parseBody(operation: Operation, text: string): Envelope & { readonly result: readonly unknown[] } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // The parser's message quotes the body, which is nobody's business in a log.
    throw new ServiceUnavailableError(operation, 'not-json')
  }
  const parsed = envelope.safeParse(json)
  if (!parsed.success) throw new ServiceUnavailableError(operation, 'envelope')
  const { status, result } = parsed.data
  const inner = Number(status)
  if (inner === 401 || inner === 400 || inner === 429) checkStatus(operation, inner, undefined)
  if (inner !== 200 || result === undefined) throw new ServiceUnavailableError(operation, 'envelope')
  return { ...parsed.data, result }
}

/** One try: headers and body and envelope. @throws {TelephonyError} */
export async function tryOnce({ url, method, operation, dispatcher, signal }: Try) {
  try {
    const response = await request(url, { method, dispatcher, signal })
    // Read in any case, so that the connection can be used again.
    const text = await response.body.text()
    checkStatus(operation, response.statusCode, response.headers['retry-after'])
    return parseBody(operation, text)
  } catch (cause) {
    if (cause instanceof TelephonyError) throw cause
    const reason = signal.aborted ? 'timeout' : 'connection'
    throw new ServiceUnavailableError(operation, reason, { cause: withoutUrl(cause) })
  }
}
