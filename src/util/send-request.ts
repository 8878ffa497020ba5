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

/** Also thrown for a cancelled request. `UNSENT`: nothing was sent. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly code

  constructor(code: 'OVER' | 'UNSENT') {
    super('the deadline is over')
    this.code = code
  }
}

/** Time limit of a request, including its retries and waits. */
export class Deadline {
  readonly signal
  #end = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #onOver: (() => void) | undefined

  /** @param timeoutMs without it, the time begins with `start` */
  constructor(timeoutMs?: Milliseconds, signal?: AbortSignal) {
    this.signal = signal
    signal?.addEventListener('abort', this.#finish)
    if (timeoutMs !== undefined) this.start(timeoutMs)
  }

  start(timeoutMs: Milliseconds): void {
    this.#end = performance.now() + timeoutMs
    this.#timer = setTimeout(this.#finish, timeoutMs)
  }

  /** Not positive once the time is over or the request is cancelled. */
  get remainingMs(): Milliseconds {
    return this.signal?.aborted ? 0 : this.#end - performance.now()
  }

  /** Replaces the only callback. An AbortSignal would take a sixth of an interaction's CPU. */
  whenOver(onOver: (() => void) | undefined): void {
    this.#onOver = onOver
    if (this.remainingMs <= 0) onOver?.()
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.signal?.removeEventListener('abort', this.#finish)
  }

  readonly #finish = (): void => {
    // A timer may fire a little early.
    this.#end = 0
    this.clear()
    this.#onOver?.()
  }
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  readonly text: string
}

const decoder = new TextDecoder()

/** Undici's `request()` would create a stream, for a tenth of an interaction's CPU. */
class RequestInFlight implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = []
  #head: Omit<HttpResponse, 'text'> = { status: 0, headers: {} }
  #controller: Dispatcher.DispatchController | undefined
  #error: Error | undefined
  readonly #settled = Promise.withResolvers<HttpResponse>()

  get response(): Promise<HttpResponse> {
    return this.#settled.promise
  }

  end(): void {
    this.#error = new DeadlineError('OVER')
    this.#fail(this.#error)
    this.#controller?.abort(this.#error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The deadline passed before there was a connection.
    if (this.#error) controller.abort(this.#error)
    this.#controller = controller
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpResponse['headers']): void {
    if (status >= 200) this.#head = { status, headers }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#settled.resolve({ ...this.#head, text: decoder.decode(Buffer.concat(this.#chunks)) })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  /** A refusal's status suffices, even if its body is cut, endless or too large. */
  #fail(error: Error): void {
    if (this.#head.status > 200) this.#settled.resolve({ ...this.#head, text: '' })
    else this.#settled.reject(error)
  }
}

/** @throws {DeadlineError} and errors of the transport */
export async function sendRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  deadline: Deadline,
): Promise<HttpResponse> {
  const inFlight = new RequestInFlight()
  deadline.whenOver(() => inFlight.end())
  try {
    dispatcher.dispatch(request, inFlight)
    return await inFlight.response
  } finally {
    deadline.whenOver(undefined)
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
  return networkError(cause)?.code ?? (cause instanceof Error ? cause.name : 'unknown')
}

const UNSENT_CODES = new Set([
  'UNSENT',
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
