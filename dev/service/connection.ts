import type { Socket } from 'node:net'
import type { Context } from 'hono'
import type { SandboxEnv } from './sandbox-env.ts'

/** Resolves when the client has gone. */
export function clientGone(c: Context<SandboxEnv>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const outgoing = c.env?.outgoing
  const signal = c.req.raw.signal
  if (outgoing ? outgoing.destroyed : signal.aborted) resolve()
  else if (outgoing) outgoing.once('close', () => resolve())
  else signal.addEventListener('abort', () => resolve(), { once: true })
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

/** Resets the connection without a response. Without a server, the body fails instead. */
export function reset(c: Context<SandboxEnv>): Response {
  const socket = c.env?.incoming?.socket
  if (!socket) return new Response(failing(''), { headers: { 'content-type': 'application/json' } })
  socket.resetAndDestroy()
  return new Response(null)
}

/** Returns a body that stops after `start`, and either hangs or ends the connection. */
export function broken(c: Context<SandboxEnv>, start: string, end: 'never' | 'cut'): Response {
  const socket = c.env?.incoming?.socket
  const body = end === 'cut' && !socket ? failing(start) : stalling(start)
  if (end === 'cut' && socket) cutAfter(socket, Buffer.byteLength(start))
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

/** Ends a connection once that many bytes were sent. A timer could end it earlier on a busy machine. */
function cutAfter(socket: Socket, bytes: number): void {
  const enough = socket.bytesWritten + bytes
  const timer = setInterval(() => {
    if (socket.bytesWritten >= enough) socket.destroySoon()
  }, 5)
  socket.once('close', () => clearInterval(timer))
}

function stalling(start: string): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(start)) })
}

function failing(start: string): ReadableStream<Uint8Array> {
  let sent = false
  return new ReadableStream({
    pull: (controller) => {
      if (sent) return controller.error(new Error('the sandbox cut the connection'))
      sent = true
      controller.enqueue(new TextEncoder().encode(start))
    },
  })
}
