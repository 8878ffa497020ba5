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

/** Aborts its signal after a time or with an outer one. `AbortSignal.any` is slower if the outer signal lives long. */
export class TimeLimit {
  readonly #controller = new AbortController()
  readonly #outer
  readonly #timer
  readonly #follow = (): void => this.#controller.abort(this.#outer?.reason)

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
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly text: string
}

const decoder = new TextDecoder()

/** Collects a response. Undici's `request()` would create a stream for it, for a third to a half of a request's CPU. */
class RequestInFlight implements Dispatcher.DispatchHandler {
  readonly #settled = Promise.withResolvers<HttpResponse>()
  readonly response = this.#settled.promise
  readonly #chunks: Buffer[] = []
  /** The status is 0 until the response starts. */
  #head: Omit<HttpResponse, 'text'> = { status: 0, headers: {} }
  #controller: Dispatcher.DispatchController | undefined
  #abortReason: Error | undefined

  /** Settles at once, although undici has no controller until there is a connection. */
  abort(reason: Error): void {
    this.#abortReason = reason
    this.onResponseError(undefined, reason)
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#abortReason) controller.abort(this.#abortReason)
    this.#controller = controller
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpResponse['headers']): void {
    // A status below 200 announces another response.
    if (status >= 200) this.#head = { status, headers }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#settled.resolve({ ...this.#head, text: decoder.decode(Buffer.concat(this.#chunks)) })
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    // Success is always a 200. Of any other response the status suffices, even if its body is cut, endless or too large.
    const isRefusal = this.#head.status > 200
    if (isRefusal) this.#settled.resolve({ ...this.#head, text: '' })
    else this.#settled.reject(error)
  }
}

/** @throws errors of the transport, and the signal's reason, except after the status of a refusal */
export async function sendRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<HttpResponse> {
  signal.throwIfAborted()
  const inFlight = new RequestInFlight()
  const abort = () => inFlight.abort(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    dispatcher.dispatch(request, inFlight)
    return await inFlight.response
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Slack's client wraps an error in one with a code such as `slack_…`. */
const hasOriginalCode = (error: Error): error is Error & { code: string } =>
  'code' in error && typeof error.code === 'string' && !error.code.startsWith('slack_')

/** Libraries wrap the error that has a code. Returns that one, or else the innermost. */
function findOriginal(error: Error): Error {
  if (hasOriginalCode(error) || !(error.cause instanceof Error)) return error
  return findOriginal(error.cause)
}

/** Returns the original error's code or name. Safe for logs, unlike an error's message, which may contain a URL. */
export function getErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const original = findOriginal(error)
  return hasOriginalCode(original) ? original.code : original.name
}

const UNSENT_CODE = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** Whether the request had no effect, because it never left this machine. */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const original = findOriginal(error)
  // A host that becomes unreachable also ends connections that sent something.
  const wasConnected = 'syscall' in original && (original.syscall === 'read' || original.syscall === 'write')
  return !wasConnected && UNSENT_CODE.test(getErrorCode(original))
}

/** For requests whose URL is a secret, such as an upload's. */
export const withoutUrl = (error: unknown): Error => new Error(getErrorCode(error))
