import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { Post } from '../actions/exchange.ts'
import type { ResponseUrl } from '../actions/issued.ts'
import type { Call, Core } from '../core.ts'
import { type Json, jsonObject, type MessageBody, messageBody, parseJson } from '../shapes.ts'
import type { Message } from '../surfaces.ts'
import { consentPage } from './consent-page.ts'
import type { HttpResponse } from './faults.ts'
import { receiveFile } from './file-methods.ts'
import { callMethod } from './web-api.ts'

const BODY_LIMIT = 1_000_000
const FILE_LIMIT = 200_000_000

/** Handles HTTP requests: `/api/…` is the Web API, `/upload/…` receives a file, other paths are response_urls. */
export function requestListener(core: Core): RequestListener {
  return (request, response) => {
    handle(request, core).then(
      (result) => send(response, result),
      (error: unknown) => {
        core.violations.push({
          where: request.url ?? '',
          path: '',
          rule: `stand-in failed: ${String(error)}`,
        })
        send(response, { status: 500, body: { ok: false, error: 'fatal_error' } })
      },
    )
  }
}

async function handle(request: IncomingMessage, core: Core): Promise<HttpResponse | 'hang' | 'cut'> {
  const path = request.url ?? '/'
  if (path.startsWith('/upload/')) {
    const content = await readBody(request, FILE_LIMIT)
    const call: Call = { method: 'upload', args: { bytes: content.length }, team: undefined }
    return record(call, core, () => receiveFile(path, content, core))
  }
  const body = (await readBody(request, BODY_LIMIT)).toString('utf8')
  const page = request.method === 'GET' ? consentPage(path, core) : undefined
  if (page) return page
  const contentType = request.headers['content-type'] ?? ''
  if (!path.startsWith('/api/')) {
    const call: Call = { method: 'response_url', args: decode(contentType, body), team: undefined }
    // Every request counts, because Slack doesn't document that failed ones don't.
    const spent = core.responseUrls.use(path)
    return record(call, core, () => postToResponseUrl(path, call, { contentType, spent }, core))
  }
  const { token: tokenArgument, ...args } = decode(contentType, body)
  const method = path.slice('/api/'.length).replace(/\?.*$/s, '')
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  // Slack doesn't read a token in a JSON body.
  const isForm = contentType.startsWith('application/x-www-form-urlencoded')
  const token = bearer ?? (isForm ? z.string().optional().parse(tokenArgument) : undefined)
  const call: Call = { method, args, team: core.directory.byToken(token ?? '')?.teamId }
  return record(call, core, () => callMethod(call, token, core))
}

/** Records the call and the duration of its response, which may be a planned fault. */
async function record(call: Call, core: Core, respond: () => HttpResponse) {
  core.calls.push(call)
  core.changes.emit('change')
  const start = performance.now()
  try {
    return await core.faults.take(call.method, respond)
  } finally {
    call.ms = performance.now() - start
  }
}

async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = z.instanceof(Buffer).parse(chunk)
    size += bytes.length
    if (size > limit) throw new Error('the body is too long')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** Parses the arguments of a JSON body, or of a form, whose objects, lists and booleans are JSON. */
function decode(contentType: string, body: string): Json {
  if (contentType.startsWith('application/json')) return jsonObject.catch({}).parse(parseJson(body))
  return Object.fromEntries(
    [...new URLSearchParams(body)].map(([key, value]) => [
      key,
      /^(?:[[{]|true$|false$)/.test(value) && key !== 'text' ? parseJson(value) : value,
    ]),
  )
}

function send(response: ServerResponse, result: HttpResponse | 'hang' | 'cut'): void {
  if (result === 'hang') return
  if (result === 'cut') {
    response.socket?.destroy()
    return
  }
  const { status, body, headers } = result
  const isText = typeof body === 'string'
  const contentType = isText ? 'text/html' : 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': contentType, ...headers })
  response.end(isText ? body : JSON.stringify(body))
}

/**
 * Takes a post to a response_url.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
function postToResponseUrl(
  path: string,
  call: Call,
  { contentType, spent: error }: { readonly contentType: string; readonly spent: string | undefined },
  core: Core,
): HttpResponse {
  const url = core.responseUrls.get(path)
  if (url === undefined || url.team.isInstalled === false) return fail(call, 404, 'no_service')
  const parsed = messageBody.safeParse(call.args)
  const body = parsed.success ? parsed.data : {}
  const finish = (post: Omit<Post, 'body'>): HttpResponse => {
    url.exchange?.posts.push({ body, ...post })
    if (post.message !== undefined) url.exchange?.messages.push(post.message)
    core.changes.emit('change')
    if (post.error !== undefined) return fail(call, post.status, post.error)
    return { status: 200, body: url.kind === 'commands' ? 'ok' : { ok: true } }
  }
  if (error !== undefined) return finish({ status: 404, error })
  if (!contentType.startsWith('application/json')) return finish({ status: 400, error: 'invalid_payload' })
  // Here Slack returns only the code; the Web API also returns details.
  const refusal = core.checkMessage(call.args, 'response_url')
  if (refusal !== undefined) return finish({ status: 400, error: refusal.error })
  const original = url.original === undefined ? undefined : core.messages.get(url.original)
  if (body.delete_original === true) {
    // https://docs.slack.dev/messaging/modifying-messages: it must be the only field.
    const more = Object.keys(call.args).filter((key) => key !== 'delete_original')
    if (more.length > 0)
      core.refuse([{ path: '', rule: `delete_original with ${more.join()}` }], 'response_url', '')
    if (original !== undefined) core.messages.delete(original.ts)
    return finish({ status: 200 })
  }
  return finish({ status: 200, message: show(body, url, original, core) })
}

function show(body: MessageBody, url: ResponseUrl, original: Message | undefined, core: Core): Message {
  if (body.replace_original === true && original !== undefined) {
    return core.messages.replace(original, body, 'response_url')
  }
  const { channel, team, user } = url
  const onlyFor = body.response_type === 'in_channel' ? {} : { onlyFor: user }
  return core.messages.post(body, { channel, team, via: 'response_url', ...onlyFor })
}

function fail(call: Call, status: number, error: string): HttpResponse {
  call.error = error
  return { status, body: { ok: false, error } }
}
