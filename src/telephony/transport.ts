import type { Dispatcher } from 'undici'
import type { Deadline } from '../util/send-request.ts'
import { codeOf, type HttpResponse, sendRequest } from '../util/send-request.ts'
import {
  CredentialsRejectedError,
  type Operation,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
  TelephonyError,
} from './errors.ts'
import { endpoints } from './operations.ts'
import { parseRetryAfter } from './retry.ts'
import { envelope } from './wire.ts'

/** What every operation responds with, its envelope checked. */
export interface ServiceResponse {
  readonly result: readonly unknown[]
  readonly total: unknown
}

type Headers = HttpResponse['headers']

/** Any other status says all. */
const readsBody = (status: number) => status === 200

/** Sends requests to one address of the service, each of them once. */
export class Transport {
  readonly #dispatcher
  readonly #origin
  readonly #basePath

  constructor({ baseUrl, dispatcher }: { baseUrl: string; dispatcher: Dispatcher }) {
    const { origin, pathname } = new URL(baseUrl)
    this.#dispatcher = dispatcher
    this.#origin = origin
    this.#basePath = pathname.replace(/\/+$/, '')
  }

  /**
   * A redirect is not followed: it would carry key and secret elsewhere.
   * @param queryString with key and secret
   * @throws {TelephonyError}, {CancelledError} where the deadline was cancelled
   */
  async send(operation: Operation, queryString: string, deadline: Deadline): Promise<ServiceResponse> {
    const { method, path } = endpoints[operation]
    try {
      deadline.throwIfCancelled()
      const request = {
        origin: this.#origin,
        path: `${this.#basePath}${path}?${queryString}`,
        method,
      }
      const { status, headers, text } = await sendRequest(this.#dispatcher, request, { deadline, readsBody })
      if (status === 200) return parseBody(operation, text, headers)
      throw (
        statusError(operation, status, headers) ??
        new ServiceUnavailableError(operation, 'status', { status })
      )
    } catch (cause) {
      deadline.throwIfCancelled()
      throw cause instanceof TelephonyError ? cause : transportError(operation, cause, deadline)
    }
  }
}

/** Transport errors that come before a request is on the wire. */
const beforeSending = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

function transportError(operation: Operation, cause: unknown, deadline: Deadline): ServiceUnavailableError {
  const code = codeOf(cause)
  // Only the code goes on: an error of the transport may hold the URL, and with it key and secret.
  const options = { cause: new Error(code), sent: !beforeSending.has(code) }
  if (deadline.isOver) return new ServiceUnavailableError(operation, 'timeout', options)
  const reason = code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' ? 'envelope' : 'connection'
  return new ServiceUnavailableError(operation, reason, options)
}

/** The error that a status other than 200 stands for, be it HTTP's or the one inside the envelope. */
function statusError(operation: Operation, status: number, headers: Headers): TelephonyError | undefined {
  if (status === 401) return new CredentialsRejectedError(operation)
  if (status === 400) return new RequestRefusedError(operation)
  if (status !== 429) return undefined
  return new RateLimitedError(operation, parseRetryAfter(headers['retry-after'], Date.now()))
}

function parseBody(operation: Operation, text: string, headers: Headers): ServiceResponse {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // The parser's message quotes the body, which is nobody's business in a log.
    throw new ServiceUnavailableError(operation, 'not-json')
  }
  const parsed = envelope.safeParse(json)
  if (!parsed.success) throw new ServiceUnavailableError(operation, 'envelope')
  const { result, total_record } = parsed.data
  const status = Number(parsed.data.status)
  if (status === 200 && Array.isArray(result)) return { result, total: total_record }
  throw (
    statusError(operation, status, headers) ?? new ServiceUnavailableError(operation, 'envelope', { status })
  )
}
