import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { TelephonyClient } from '../../src/telephony/client.ts'
import type { Account, CallQuery } from '../../src/telephony/types.ts'
import { utcOffset } from '../../src/time/wall-clock.ts'
import { createDispatcher } from '../../src/util/dispatcher.ts'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly params: URLSearchParams
}

export type Reply = (response: ServerResponse, seen: Seen) => void

/** A bare server of the test's own, for answers that the sandbox does not give. */
export interface Stub {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string
  readonly seen: readonly Seen[]
  /** The most requests that were under way at one time. */
  readonly most: () => number
  /** For the next requests, in this order; afterwards an empty page. */
  next(...replies: readonly Reply[]): void
  always(reply: Reply): void
}

const envelope = { status: '200', message: 'Success', total_record: '0', result: [] }

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

/** The right envelope with these fields set. */
export const ok = (fields: Record<string, unknown> = {}): Reply => json({ ...envelope, ...fields })
export const status = (code: number, headers: Record<string, string> = {}): Reply =>
  json({ status: String(code), message: 'No' }, code, headers)
export const never: Reply = () => {}
export const reset: Reply = (response) => response.socket?.destroy()

/** Answers that wait until they are let go. */
export function gate(reply: Reply = ok()) {
  const waiting: (() => void)[] = []
  let isOpen = false
  const held: Reply = (response, seen) => {
    if (isOpen) reply(response, seen)
    else waiting.push(() => reply(response, seen))
  }
  const open = () => {
    isOpen = true
    for (const answer of waiting) answer()
  }
  return { held, open }
}

export async function startStub(): Promise<Stub> {
  const seen: Seen[] = []
  const queue: Reply[] = []
  let otherwise = ok()
  let [underWay, most] = [0, 0]
  const server = createServer((request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '', 'http://stub')
    const entry = { method: request.method ?? '', path: url.pathname, params: url.searchParams }
    seen.push(entry)
    underWay += 1
    most = Math.max(most, underWay)
    response.once('close', () => {
      underWay -= 1
    })
    const reply = queue.shift() ?? otherwise
    reply(response, entry)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stub has no port')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    baseUrl: `http://127.0.0.1:${address.port}/api/v1`,
    seen,
    most: () => most,
    next: (...replies) => queue.push(...replies),
    always: (reply) => {
      otherwise = reply
    },
  }
}

/** A client whose connections are closed when the test ends. */
export function clientOf(
  baseUrl: string,
  options: Partial<ConstructorParameters<typeof TelephonyClient>[0]> = {},
) {
  const dispatcher = createDispatcher()
  onTestFinished(() => dispatcher.destroy())
  return new TelephonyClient({ baseUrl, dispatcher, ...options })
}

/** The first page of incoming calls. */
export const incoming: CallQuery = { direction: 'incoming', offset: utcOffset('+01:00'), page: 1 }

/** What the work rejects with. */
export const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing',
    (error: unknown) => error,
  )

export const accountOf = (tenant = 'T1'): Account => ({
  tenant,
  credentials: { key: 'key', secret: 'secret' },
})
