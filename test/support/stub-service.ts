import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { close, listen } from '../../dev/listen.ts'
import type { ReadCallsOptions } from '../../src/telephony/call-reading.ts'
import { TelephonyClient } from '../../src/telephony/client.ts'
import type { Account, Call, CallQuery, ReadQuery } from '../../src/telephony/types.ts'
import { toUtcOffset } from '../../src/time/zones.ts'
import { createDispatcher } from '../../src/util/send-request.ts'

interface StubRequest {
  readonly path: string
  readonly params: URLSearchParams
}

export type Reply = (response: ServerResponse, request: StubRequest) => void

const envelope = { status: '200', message: 'Success', total_record: '0', result: [] }

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

/** Returns a valid envelope with these fields. */
export const ok = (fields: Record<string, unknown> = {}): Reply => json({ ...envelope, ...fields })
export const status = (code: number, headers: Record<string, string> = {}): Reply =>
  json({ status: String(code), message: 'No' }, code, headers)
export const noReply: Reply = () => {}
export const reset: Reply = (response) => response.socket?.destroy()

/** Returns replies that wait until the gate is opened. */
export function gate(reply: Reply = ok()) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const held: Reply = (response, request) => void opened.then(() => reply(response, request))
  return { held, open }
}

/** A server for responses that the sandbox doesn't give. */
class StubService {
  /** URL that ends in `/api/v1`. */
  baseUrl = ''
  readonly requests: StubRequest[] = []
  /** Maximum number of concurrent requests. */
  maxInFlight = 0
  #inFlight = 0
  readonly #queue: Reply[] = []
  #reply = ok()

  /** Stops when the test ends. */
  async start(): Promise<void> {
    const server = createServer((request, response) => this.#handle(request, response))
    this.baseUrl = `http://127.0.0.1:${await listen(server)}/api/v1`
    onTestFinished(() => close(server))
  }

  /** Sets the next replies, which are followed by that of `always`, or an empty page. */
  next(...replies: readonly Reply[]): void {
    this.#queue.push(...replies)
  }

  always(reply: Reply): void {
    this.#reply = reply
  }

  #handle(incoming: IncomingMessage, response: ServerResponse): void {
    const url = new URL(incoming.url ?? '', 'http://stub')
    const request = { path: url.pathname, params: url.searchParams }
    this.requests.push(request)
    this.#inFlight += 1
    this.maxInFlight = Math.max(this.maxInFlight, this.#inFlight)
    response.once('close', () => {
      this.#inFlight -= 1
    })
    const reply = this.#queue.shift() ?? this.#reply
    reply(response, request)
  }
}

export async function startStub(): Promise<StubService> {
  const stub = new StubService()
  await stub.start()
  return stub
}

/** A client whose connections are closed when the test ends. */
export function createClient(
  baseUrl: string,
  options: Partial<ConstructorParameters<typeof TelephonyClient>[0]> = {},
) {
  const dispatcher = createDispatcher()
  onTestFinished(() => dispatcher.destroy())
  return new TelephonyClient({ baseUrl, dispatcher, backoffMs: 10, ...options })
}

/** Requests the first page of incoming calls. */
export const incoming: CallQuery = { direction: 'incoming', offset: toUtcOffset(60), page: 1 }

/** Returns the reason of a rejection, or `nothing`. */
export const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing',
    (error: unknown) => error,
  )

export const createAccount = (tenant = 'T1'): Account => ({
  tenant,
  credentials: { key: 'key', secret: 'secret' },
})

/** Yields the calls of a query. */
export async function* readAllCalls(
  client: TelephonyClient,
  account: Account,
  query: ReadQuery,
  options?: ReadCallsOptions,
): AsyncGenerator<Call, void, undefined> {
  for await (const { calls } of client.readCalls(account, [query], options)) yield* calls
}

/** Counts the timers that the test starts from now on, but not those of the test runner. */
export function trackTimers() {
  const context = new AsyncLocalStorage<true>()
  const running = new Map<number, NodeJS.Timeout>()
  let started = 0
  const hook = createHook({
    init: (id, type, _, timer) => {
      if (type !== 'Timeout' || !context.getStore()) return
      started += 1
      running.set(id, timer as NodeJS.Timeout)
    },
    destroy: (id) => running.delete(id),
  }).enable()
  onTestFinished(() => void hook.disable())
  context.enterWith(true)
  return {
    started: () => started,
    /** Number of remaining timers that keep the process alive. */
    left: () => [...running.values()].filter((timer) => timer.hasRef()).length,
  }
}
