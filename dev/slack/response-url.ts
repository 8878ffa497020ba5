import type { Call, Core } from './core.ts'
import type { Reply } from './faults.ts'
import type { Post } from './interaction.ts'
import { type MessageBody, messageBody } from './shapes.ts'
import type { Message } from './stores.ts'
import type { ResponseUrl } from './tickets.ts'

/**
 * Takes a post to a response_url.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
export function respond(path: string, call: Call, contentType: string, core: Core): Reply {
  const url = core.responseUrls.get(path)
  if (url === undefined) return fail(call, 404, 'no_service')
  const spent = core.responseUrls.use(url)
  const parsed = messageBody.safeParse(call.args)
  const body = parsed.success ? parsed.data : {}
  const finish = (post: Omit<Post, 'body'>): Reply => {
    url.interaction?.posts.push({ body, ...post })
    if (post.message !== undefined) url.interaction?.messages.push(post.message)
    core.changes.notify()
    if (post.error !== undefined) return fail(call, post.status, post.error)
    return { status: 200, body: url.kind === 'commands' ? 'ok' : { ok: true } }
  }
  if (spent !== undefined) return finish({ status: 404, error: spent })
  if (!contentType.startsWith('application/json')) return finish({ status: 400, error: 'invalid_payload' })
  // Slack says no more here than the code; the details are for the Web API alone.
  const refusal = core.judgeMessage(call.args, 'response_url')
  if (refusal !== undefined) return finish({ status: 400, error: refusal.error })
  const original = url.original === undefined ? undefined : core.messages.get(url.original)
  if (body.delete_original === true) {
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
  const isPublic = body.response_type === 'in_channel'
  return core.messages.show(body, {
    channel,
    team,
    via: 'response_url',
    ...(isPublic ? {} : { onlyFor: user }),
  })
}

function fail(call: Call, status: number, error: string): Reply {
  call.error = error
  return { status, body: { ok: false, error } }
}
