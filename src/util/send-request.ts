import { Agent, type Dispatcher } from 'undici'
import type { Milliseconds } from './units.ts'

/** Keeps connections alive, which halves the CPU of an interaction. */
export function createDispatcher(): Agent {
  return new Agent({
    keepAliveTimeout: 60_000,
    connect: { timeout: 2500 },
    maxResponseSize: 4 * 1024 * 1024,
    // HTTP/2 requeues requests when the server closes the connection, but ours must never be sent twice.
    allowH2: false,
  })
}

/** Aborts its signal after the time, or with another signal: `AbortSignal.any` takes longer for one that lives long. */
export class TimeLimit {
  readonly #controller = new AbortController()
  readonly #outer
  readonly #timer

  constructor(timeoutMs: Milliseconds, outer?: AbortSignal) {
    const end = () => this.#controller.abort(new DOMException('the time is over', 'TimeoutError'))
    this.#timer = setTimeout(end, timeoutMs)
    this.#outer = outer
    outer?.addEventListener('abort', this.#follow)
    if (outer?.aborted) this.#follow()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#follow)
  }

  readonly #follow = (): void => this.#controller.abort(this.#outer?.reason)
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly text: string
}

/** Settles as soon as the signal is aborted; undici waits until there is a connection, or none. */
function receiveHead(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    signal.addEventListener('abort', giveUp)
    dispatcher.request({ ...request, signal }, (error, response) => {
      signal.removeEventListener('abort', giveUp)
      if (error) reject(error)
      else resolve(response)
    })
  })
}

/** @throws the signal's reason, and errors of the transport */
export async function sendRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  signal: AbortSignal,
): Promise<HttpResponse> {
  signal.throwIfAborted()
  const { statusCode: status, headers, body } = await receiveHead(dispatcher, request, signal)
  try {
    return { status, headers, text: await body.text() }
  } catch (error) {
    // A refusal's status suffices, even if its body is cut, endless or too large.
    if (status > 200) return { status, headers, text: '' }
    throw error
  }
}

const hasCode = (error: Error): error is Error & { code: string } =>
  'code' in error && typeof error.code === 'string' && !error.code.startsWith('slack_')

/** Libraries wrap network errors, and Slack's client adds its own codes. */
function networkError(error: unknown): (Error & { code: string }) | undefined {
  if (!(error instanceof Error)) return undefined
  return hasCode(error) ? error : networkError(error.cause)
}

/** Safe for logs, unlike an error's message, which may contain a URL. */
export function getErrorCode(cause: unknown): string {
  const code = networkError(cause)?.code
  if (code !== undefined) return code
  if (!(cause instanceof Error)) return 'unknown'
  if (cause.cause instanceof Error) return getErrorCode(cause.cause)
  return cause.name
}

const UNSENT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Whether the request had no effect, because it never left this machine. */
export function isUnsent(cause: unknown): boolean {
  const error = networkError(cause)
  // A host that becomes unreachable also ends connections that sent something.
  const isConnected = error && 'syscall' in error && (error.syscall === 'read' || error.syscall === 'write')
  return error !== undefined && UNSENT_CODES.has(error.code) && !isConnected
}

/** For requests whose URL is a secret, such as an upload's. */
export const withoutUrl = (cause: unknown): Error => new Error(getErrorCode(cause))
