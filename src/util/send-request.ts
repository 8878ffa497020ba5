import { Agent, type Dispatcher } from 'undici'
import type { Milliseconds } from './units.ts'

/** Keeps connections to Slack and to the phone service alive, which halves the CPU of an interaction. */
export function createDispatcher(): Agent {
  return new Agent({
    keepAliveTimeout: 60_000,
    connect: { timeout: 2500 },
    maxResponseSize: 4 * 1024 * 1024,
    // HTTP/2 requeues requests when the server closes the connection, but ours must never be sent twice.
    allowH2: false,
  })
}

/** The deadline passed, or the request was cancelled. `UNSENT`: before anything was sent. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly code

  constructor(code: 'OVER' | 'UNSENT') {
    super('the deadline is over')
    this.code = code
  }
}

/** Time limit of a request, with its retries and the waits between them. */
export class Deadline {
  readonly #signal
  #end = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #onOver: (() => void) | undefined

  /** @param timeoutMs Without it, the time begins with `start`. @param signal Cancels the request. */
  constructor(timeoutMs?: Milliseconds, signal?: AbortSignal) {
    this.#signal = signal
    signal?.addEventListener('abort', this.#cancel)
    if (timeoutMs !== undefined) this.start(timeoutMs)
  }

  get isOver(): boolean {
    return this.#isOver || this.isCancelled
  }

  get isCancelled(): boolean {
    return this.#signal?.aborted ?? false
  }

  start(timeoutMs: Milliseconds): void {
    this.#end = performance.now() + timeoutMs
    this.#timer = setTimeout(() => {
      this.#isOver = true
      this.#onOver?.()
    }, timeoutMs)
  }

  remainingMs(): Milliseconds {
    return this.#end - performance.now()
  }

  /** Calls back at the end, one callback at a time. An AbortSignal instead takes a sixth of an interaction's CPU. */
  whenOver(onOver: (() => void) | undefined): void {
    this.#onOver = onOver
    if (this.isOver) onOver?.()
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#cancel)
  }

  readonly #cancel = (): void => {
    this.clear()
    this.#onOver?.()
  }
}

type Headers = Dispatcher.ResponseData['headers']

export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Bytes of an ignored body that are read to keep the connection; beyond them, a new connection costs less. */
const MAX_IGNORED_BYTES = 64 * 1024

const decodeText = (chunks: readonly Buffer[]): string => {
  const text = Buffer.concat(chunks).toString('utf8')
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/** Collects a response. Undici's own `request()` makes a stream of each one: a tenth of an interaction's CPU. */
class RequestInFlight implements Dispatcher.DispatchHandler {
  readonly #readsBody
  readonly #chunks: Buffer[] = []
  #status = 0
  #headers: Headers = {}
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #ignoredBytes = 0
  readonly #settled = Promise.withResolvers<HttpResponse>()

  constructor(readsBody: (status: number) => boolean) {
    this.#readsBody = readsBody
  }

  get response(): Promise<HttpResponse> {
    return this.#settled.promise
  }

  end(): void {
    this.#isOver = true
    const error = new DeadlineError('OVER')
    this.#settled.reject(error)
    this.#controller?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The deadline passed before there was a connection.
    if (this.#isOver) controller.abort(new DeadlineError('OVER'))
    this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    // Ignores the body, and its errors, so that the connection can be used again.
    if (!this.#readsBody(status)) this.#settled.resolve({ status, headers, text: '' })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#readsBody(this.#status)) {
      this.#chunks.push(chunk)
      return
    }
    this.#ignoredBytes += chunk.length
    if (this.#ignoredBytes > MAX_IGNORED_BYTES) controller.abort(new DeadlineError('OVER'))
  }

  onResponseEnd(): void {
    this.#settled.resolve({ status: this.#status, headers: this.#headers, text: decodeText(this.#chunks) })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settled.reject(error)
  }
}

/**
 * Sends a request once, and reads the whole response.
 * @param readsBody Whether the body of a response with that status is needed.
 * @throws {DeadlineError}, and the errors of the transport
 */
export async function sendRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { deadline, readsBody = () => true }: { deadline: Deadline; readsBody?: (status: number) => boolean },
): Promise<HttpResponse> {
  const inFlight = new RequestInFlight(readsBody)
  deadline.whenOver(() => inFlight.end())
  try {
    dispatcher.dispatch(request, inFlight)
    return await inFlight.response
  } finally {
    deadline.whenOver(undefined)
  }
}

/** Finds the network's error in `cause`: libraries wrap it in errors that have codes of their own. */
function networkError(error: unknown): (Error & { readonly code: string }) | undefined {
  for (let one = error; one instanceof Error; one = one.cause)
    if (hasCode(one) && !one.code.startsWith('slack_')) return one
  return undefined
}

const hasCode = (error: Error): error is Error & { readonly code: string } =>
  'code' in error && typeof error.code === 'string'

/** Returns the network error's code, or the error's name. Safe for logs, unlike the message, which may contain a URL. */
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

/** Whether a request failed before it left this machine: it had no effect, and may be sent again. */
export function isUnsent(cause: unknown): boolean {
  const error = networkError(cause)
  // A host that becomes unreachable also ends connections over which something was sent.
  const isConnected = error && 'syscall' in error && (error.syscall === 'read' || error.syscall === 'write')
  return error !== undefined && UNSENT_CODES.has(error.code) && !isConnected
}

/** Keeps only the error's code: for requests whose URL is a secret, such as an upload's. */
export const withoutUrl = (cause: unknown): Error => new Error(getErrorCode(cause))
