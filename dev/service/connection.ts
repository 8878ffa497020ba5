import type { Context } from 'hono'
import type { SandboxEnv } from './sandbox-env.ts'

/** @throws {Error} without a server, as in `app.fetch()` */
function getConnection({ env }: Context<SandboxEnv>) {
  const { incoming, outgoing } = env ?? {}
  if (!incoming || !outgoing) throw new Error('faults of the connection need a served sandbox')
  return { socket: incoming.socket, outgoing }
}

/** Resolves when the client has gone. */
export function clientGone(c: Context<SandboxEnv>): Promise<void> {
  const { outgoing } = getConnection(c)
  const { promise, resolve } = Promise.withResolvers<void>()
  if (outgoing.destroyed) resolve()
  else outgoing.once('close', () => resolve())
  return promise
}

/** Waits; on a served sandbox, no longer than the client. */
export function pause(c: Context<SandboxEnv>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  c.env?.outgoing?.once('close', () => {
    clearTimeout(timer)
    resolve()
  })
  return promise
}

/** Resets the connection without a response. */
export function reset(c: Context<SandboxEnv>): Response {
  getConnection(c).socket.resetAndDestroy()
  return new Response(null)
}

/** Returns a body that stops after `start`, and either hangs or ends the connection. */
export function broken(c: Context<SandboxEnv>, start: string, end: 'never' | 'cut'): Response {
  if (end === 'cut') cutAfter(c, Buffer.byteLength(start))
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(start)),
  })
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

/** Ends a connection once that many bytes were sent. A timer could end it earlier on a busy machine. */
function cutAfter(c: Context<SandboxEnv>, bytes: number): void {
  const { socket } = getConnection(c)
  const enough = socket.bytesWritten + bytes
  const timer = setInterval(() => {
    if (socket.bytesWritten >= enough) socket.destroySoon()
  }, 5)
  socket.once('close', () => clearInterval(timer))
}
