import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { consentPage } from './consent-page.ts'
import type { Call, Core } from './core.ts'
import type { Reply } from './faults.ts'
import { respond } from './response-url.ts'
import { type Json, jsonObject } from './shapes.ts'
import { answer } from './web-api.ts'

const BODY_LIMIT = 1_000_000

/** The HTTP side: `/api/…` is the Web API, every other path a response_url. */
export function createSlackServer(core: Core, scopes: readonly string[] | undefined): Server {
  return createServer((request, response) => {
    handle(request, core, scopes).then(
      (reply) => send(response, reply),
      (error: unknown) => {
        core.violations.push({
          where: request.url ?? '',
          path: '',
          rule: `stand-in failed: ${String(error)}`,
        })
        send(response, { status: 500, body: { ok: false, error: 'fatal_error' } })
      },
    )
  })
}

async function handle(
  request: IncomingMessage,
  core: Core,
  scopes: readonly string[] | undefined,
): Promise<Reply | 'hang' | 'cut'> {
  const body = await readBody(request)
  const path = request.url ?? '/'
  const page = request.method === 'GET' ? consentPage(path, core) : undefined
  if (page) return page
  const contentType = request.headers['content-type'] ?? ''
  if (!path.startsWith('/api/')) {
    const call: Call = { method: 'response_url', args: decode(contentType, body), team: undefined }
    core.calls.push(call)
    core.changes.notify()
    return timed(
      call,
      async () => (await core.faults.take('response_url')) ?? respond(path, call, contentType, core),
    )
  }
  const { token: tokenArgument, ...args } = decode(contentType, body)
  const method = path.slice('/api/'.length).replace(/\?.*$/s, '')
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  // A token in a JSON body is not read by Slack.
  const isForm = contentType.startsWith('application/x-www-form-urlencoded')
  const token = bearer ?? (isForm ? z.string().optional().parse(tokenArgument) : undefined)
  const call: Call = { method, args, team: core.directory.byToken(token ?? '')?.teamId }
  core.calls.push(call)
  core.changes.notify()
  return timed(call, async () => (await core.faults.take(method)) ?? answer(call, token, core, scopes))
}

async function timed<T>(call: Call, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    return await work()
  } finally {
    call.ms = performance.now() - start
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = z.instanceof(Buffer).parse(chunk)
    size += bytes.length
    if (size > BODY_LIMIT) throw new Error('the body is too long')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Arguments of a form, whose objects, lists and booleans travel as JSON, or of a JSON body. */
function decode(contentType: string, body: string): Json {
  if (contentType.startsWith('application/json')) return jsonObject.catch({}).parse(tryJson(body))
  return Object.fromEntries(
    [...new URLSearchParams(body)].map(([key, value]) => [
      key,
      /^(?:[[{]|true$|false$)/.test(value) && key !== 'text' ? tryJson(value) : value,
    ]),
  )
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function send(response: ServerResponse, reply: Reply | 'hang' | 'cut'): void {
  if (reply === 'hang') return
  if (reply === 'cut') {
    response.socket?.destroy()
    return
  }
  const isText = typeof reply.body === 'string'
  response.writeHead(reply.status, {
    'content-type': isText ? 'text/html' : 'application/json; charset=utf-8',
    ...reply.headers,
  })
  response.end(isText ? reply.body : JSON.stringify(reply.body))
}
