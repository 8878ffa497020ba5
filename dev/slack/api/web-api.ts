import { z } from 'zod'
import { checkMessage, checkView } from '../block-kit/index.ts'
import type { Call, Core } from '../core.ts'
import { userJson } from '../directory.ts'
import { chatMethods } from './chat-methods.ts'
import { conversationMethods } from './conversation-methods.ts'
import type { HttpResponse } from './faults.ts'
import { fileMethods } from './file-methods.ts'
import { id, MethodError, type Methods, read } from './methods.ts'
import { viewMethods } from './view-methods.ts'

const methods: Methods = {
  'auth.test': {
    run: (_args, { team }) => ({
      url: `https://${team.domain}.slack.com/`,
      team: team.domain,
      user: 'callboard',
      team_id: team.teamId,
      user_id: team.botUserId,
      bot_id: team.botId,
      is_enterprise_install: team.isEnterpriseInstall,
      ...(team.enterpriseId === undefined ? {} : { enterprise_id: team.enterpriseId }),
    }),
  },
  'users.info': {
    scope: 'users:read',
    run: (args, { core, team }) => {
      const { user } = read(z.looseObject({ user: id }), args, 'user_not_found')
      const found = core.directory.user(team, user)
      if (found === undefined) throw new MethodError('user_not_found')
      return { user: userJson(found, team.isEnterpriseInstall) }
    },
  },
  'apps.uninstall': {
    run: (args, { core, team }) => {
      if (!core.oauth.isOurs(args)) throw new MethodError('bad_client_secret')
      core.oauth.uninstall(team)
      return {}
    },
  },
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...viewMethods,
}

/** https://docs.slack.dev/apis/web-api/rate-limits */
export const rateLimited = (seconds: number) => ({
  status: 429,
  body: { ok: false, error: 'ratelimited' },
  headers: { 'retry-after': String(seconds) },
})

/** https://docs.slack.dev/reference/methods/apps.connections.open: requires an app-level token. */
function openConnection(token: string | undefined, { socketUrl, rates }: Core): HttpResponse {
  if (!token?.startsWith('xapp-'))
    return { status: 200, body: { ok: false, error: 'not_allowed_token_type' } }
  const seconds = rates.retryAfter('apps.connections.open', token, undefined)
  if (seconds !== undefined) return rateLimited(seconds)
  const body = socketUrl ? { ok: true, url: socketUrl } : { ok: false, error: 'internal_error' }
  return { status: 200, body }
}

/** https://docs.slack.dev/reference/methods/blocks.validate: requires no token. */
function validate({ message, view }: Call['args']): HttpResponse {
  const violations = view === undefined ? checkMessage(message) : checkView(view)
  if (violations.length === 0) return { status: 200, body: { ok: true } }
  const errors = violations.map(({ path, rule }) => ({
    pointer: path,
    code: 'failed_constraint',
    message: rule,
  }))
  return { status: 200, body: { ok: false, error: 'invalid_blocks', errors } }
}

/** Responds like Slack: always HTTP 200 with `ok`. Sets `call.error`. */
export function callMethod(call: Call, token: string | undefined, core: Core): HttpResponse {
  if (call.method === 'blocks.validate') return validate(call.args)
  if (call.method === 'oauth.v2.access')
    return { status: 200, body: core.oauth.access(call.args, core.directory) }
  if (call.method === 'apps.connections.open') return openConnection(token, core)
  try {
    const method = methods[call.method]
    if (method === undefined) throw new MethodError('unknown_method', { req_method: call.method })
    if (token === undefined) throw new MethodError('not_authed')
    const team = core.directory.byToken(token, call.args)
    if (team === undefined) throw new MethodError('invalid_auth')
    const seconds = core.rates.retryAfter(call.method, team.teamId, call.args['channel'])
    if (seconds !== undefined) {
      call.error = 'ratelimited'
      return rateLimited(seconds)
    }
    const { scopes } = core
    const context = { core, team }
    const needed = typeof method.scope === 'function' ? method.scope(call.args, context) : method.scope
    if (needed !== undefined && scopes?.includes(needed) === false) {
      throw new MethodError('missing_scope', { needed, provided: scopes.join(',') })
    }
    return { status: 200, body: { ok: true, ...method.run(call.args, context) } }
  } catch (error) {
    if (!(error instanceof MethodError)) throw error
    call.error = error.message
    return { status: 200, body: { ok: false, error: error.message, ...error.fields } }
  } finally {
    core.changes.emit('change')
  }
}
