import type { Dispatcher } from 'undici'
import type { Deadline } from './deadline.ts'

type Headers = Dispatcher.ResponseData['headers']

export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  /** Empty where the body was not to be read. */
  readonly text: string
}

/** Nobody waits for what is over. */
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
class Exchange implements Dispatcher.DispatchHandler {
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
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { deadline, readsBody = () => true }: { deadline: Deadline; readsBody?: (status: number) => boolean },
): Promise<HttpResponse> {
  const own = new Exchange(readsBody)
  deadline.whenOver(() => own.end())
  try {
    dispatcher.dispatch(request, own)
    return await own.response
  } finally {
    deadline.whenOver(undefined)
  }
}
