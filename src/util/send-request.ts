import { Agent, type Dispatcher } from 'undici'
import type { Milliseconds } from './units.ts'

/** Keeps connections to Slack and to the service alive: measured, that halves the CPU of an interaction. */
export function createDispatcher(): Agent {
  return new Agent({
    keepAliveTimeout: 60_000,
    connect: { timeout: 2500 },
    maxResponseSize: 4 * 1024 * 1024,
    // HTTP/2 puts a request back in line where the server says goodbye, and one of ours must never be sent twice.
    allowH2: false,
  })
}

/** Whoever asked doesn't want it any more: it says nothing of whoever was asked. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
}

/** When a whole request has to be over, every try of it and the waits between them. */
export class Deadline {
  readonly #end
  readonly #timer
  readonly #signal
  #isOver = false
  #onOver: (() => void) | undefined

  constructor(timeoutMs: Milliseconds, signal?: AbortSignal) {
    this.#end = performance.now() + timeoutMs
    this.#signal = signal
    signal?.addEventListener('abort', this.#cancel)
    this.#timer = setTimeout(() => {
      this.#isOver = true
      this.#onOver?.()
    }, timeoutMs)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get isCancelled(): boolean {
    return this.#signal?.aborted ?? false
  }

  remainingMs(): Milliseconds {
    return this.#end - performance.now()
  }

  /** What ends the try that is in flight, one at a time: an AbortSignal does the same for a sixth of an interaction's CPU. */
  whenOver(onOver: (() => void) | undefined): void {
    this.#onOver = onOver
    if (this.#isOver || this.isCancelled) onOver?.()
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

class OverError extends Error {
  readonly code = 'OVER'
}

/** What is read past of an answer whose body says nothing; beyond it, another connection costs less. */
const mostReadPast = 64 * 1024

const textOf = (chunks: readonly Buffer[]): string => {
  const text = Buffer.concat(chunks).toString('utf8')
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/** One request on its way. Undici's own `request()` makes a stream of every answer, which is a tenth of an interaction's CPU. */
class RequestInFlight implements Dispatcher.DispatchHandler {
  readonly #readsBody
  readonly #chunks: Buffer[] = []
  #status = 0
  #headers: Headers = {}
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #readPast = 0
  readonly #settled = Promise.withResolvers<HttpResponse>()

  constructor(readsBody: (status: number) => boolean) {
    this.#readsBody = readsBody
  }

  get response(): Promise<HttpResponse> {
    return this.#settled.promise
  }

  end(): void {
    this.#isOver = true
    const error = new OverError('the deadline is over')
    this.#settled.reject(error)
    this.#controller?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It was still in line for a connection.
    if (this.#isOver) controller.abort(new OverError('the deadline is over'))
    this.#controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    // The rest is read past, so that the connection can be used again, and may fail as it likes.
    if (!this.#readsBody(status)) this.#settled.resolve({ status, headers, text: '' })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#readsBody(this.#status)) {
      this.#chunks.push(chunk)
      return
    }
    this.#readPast += chunk.length
    if (this.#readPast > mostReadPast) controller.abort(new OverError('read past'))
  }

  onResponseEnd(): void {
    this.#settled.resolve({ status: this.#status, headers: this.#headers, text: textOf(this.#chunks) })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settled.reject(error)
  }
}

/**
 * Sends a request once, and reads the whole answer. @param readsBody whether the body of an answer with that status says anything
 * @throws what the transport fails with; where `deadline.isOver`, that is why
 */
export async function sendRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { deadline, readsBody = () => true }: { deadline: Deadline; readsBody?: (status: number) => boolean },
): Promise<HttpResponse> {
  const own = new RequestInFlight(readsBody)
  deadline.whenOver(() => own.end())
  try {
    dispatcher.dispatch(request, own)
    return await own.response
  } finally {
    deadline.whenOver(undefined)
  }
}

/** What made a request fail: libraries wrap the error of the network in some of their own, which have codes of their own. */
function networkError(error: unknown): (Error & { readonly code: string }) | undefined {
  for (let one = error; one instanceof Error; one = one.cause)
    if (hasCode(one) && !one.code.startsWith('slack_')) return one
  return undefined
}

const hasCode = (error: Error): error is Error & { readonly code: string } =>
  'code' in error && typeof error.code === 'string'

/** The code of an error of the network, or its name: fit for logs, where its message may hold an address. */
export function codeOf(cause: unknown): string {
  return networkError(cause)?.code ?? (cause instanceof Error ? cause.name : 'unknown')
}

const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Whether a request failed before it left this machine: it did nothing, and may be sent again. */
export function isUnsent(cause: unknown): boolean {
  const error = networkError(cause)
  // A host that can no longer be reached also ends connections over which something was sent.
  const isConnected = error && 'syscall' in error && (error.syscall === 'read' || error.syscall === 'write')
  return error !== undefined && unsentCodes.has(error.code) && !isConnected
}

/**
 * What went wrong with a request to an address that is a secret of its own (whoever holds it may write into a channel, or
 * upload a file): its code or its name alone, fit for errors and logs.
 */
export const withoutUrl = (cause: unknown): Error => new Error(codeOf(cause))
