import type { Post } from '../actions/exchange.ts'
import type { ResponseUrl } from '../actions/response-urls.ts'
import type { Call, Core } from '../core.ts'
import { type MessageBody, messageBody } from '../shapes.ts'
import type { Message } from '../surfaces.ts'
import type { HttpResponse } from './faults.ts'

/**
 * Takes a post to a response_url.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
export function postToResponseUrl(
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
