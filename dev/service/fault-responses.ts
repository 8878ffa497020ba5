import type { Context, Next } from 'hono'
import { z } from 'zod'
import type { ResponseFault } from './faults.ts'
import type { SandboxEnv } from './sandbox-env.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

const anyEnvelope = z.looseObject({ result: z.array(z.record(z.string(), z.unknown())) })

export async function respondWith(
  fault: ResponseFault,
  c: Context<SandboxEnv>,
  next: Next,
): Promise<Response | undefined> {
  switch (fault.kind) {
    case 'status':
      return Response.json(
        { status: String(fault.status), message: 'As the sandbox was told' },
        { status: fault.status, headers: fault.headers ?? {} },
      )
    case 'hang':
      if (fault.after) return broken(c, half(await rightBody(c, next)), 'never')
      await clientGone(c)
      return new Response(null)
    case 'cut-connection':
      return fault.after ? broken(c, half(await rightBody(c, next)), 'cut') : reset(c)
    case 'html':
      return new Response('<!doctype html><title>Sign in</title><h1>Please sign in</h1>', {
        status: fault.status ?? 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
      })
    case 'cut-json':
      return new Response(half(await rightBody(c, next)), { headers: JSON_TYPE })
    case 'body':
      return new Response(fault.body, {
        headers: { 'content-type': fault.contentType ?? 'application/json' },
      })
    case 'set':
      return edited(c, next, fault.envelope ?? {}, (record) => ({ ...record, ...fault.record }))
    case 'patch':
      return edited(c, next, {}, fault.patch)
  }
}

async function rightBody(c: Context<SandboxEnv>, next: Next): Promise<string> {
  await next()
  return c.res.text()
}

function half(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2))
}

/** Applies changes to a response. Refusals have no records and stay unchanged. */
async function edited(
  c: Context<SandboxEnv>,
  next: Next,
  fields: Record<string, unknown>,
  edit: (record: Record<string, unknown>) => Record<string, unknown>,
): Promise<Response | undefined> {
  await next()
  if (c.res.status !== 200) return undefined
  const envelope = anyEnvelope.parse(await c.res.json())
  return Response.json({ ...envelope, result: envelope.result.map(edit), ...fields })
}

/** @throws {Error} without a server, as in `app.fetch()` */
function getConnection({ env }: Context<SandboxEnv>) {
  const { incoming, outgoing } = env ?? {}
  if (!incoming || !outgoing) throw new Error('faults of the connection need a served sandbox')
  return { socket: incoming.socket, outgoing }
}

/** Resolves when the client has gone. */
function clientGone(c: Context<SandboxEnv>): Promise<void> {
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
function reset(c: Context<SandboxEnv>): Response {
  getConnection(c).socket.resetAndDestroy()
  return new Response(null)
}

/** Returns a body that stops after `start`, and either hangs or ends the connection. */
function broken(c: Context<SandboxEnv>, start: string, end: 'never' | 'cut'): Response {
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
