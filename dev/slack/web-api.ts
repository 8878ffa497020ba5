import { z } from 'zod'
import { checkMessage, checkView } from './block-kit/index.ts'
import { chatMethods } from './chat-methods.ts'
import type { Call, Core } from './core.ts'
import type { Channel, Team } from './directory.ts'
import type { Reply } from './faults.ts'
import { channelOf, Failure, id, type Methods, read } from './methods.ts'
import type { Json } from './shapes.ts'
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
      if (found === undefined) throw new Failure('user_not_found')
      return { user: structuredClone(found) }
    },
  },
  'conversations.info': {
    scope: 'channels:read',
    run: (args, context) => ({ channel: channelJson(channelOf(args, context), context.team) }),
  },
  'apps.uninstall': {
    run: (args, { core, team }) => {
      if (!core.oauth.isOurs(args)) throw new Failure('bad_client_secret')
      core.oauth.uninstall(team)
      return {}
    },
  },
  ...chatMethods,
  ...viewMethods,
}

/** https://docs.slack.dev/reference/methods/apps.connections.open: takes the app's own token. */
function openConnection(token: string | undefined, { socketUrl }: Core): Reply {
  const error = token?.startsWith('xapp-') ? 'internal_error' : 'not_allowed_token_type'
  const body = token?.startsWith('xapp-') && socketUrl ? { ok: true, url: socketUrl } : { ok: false, error }
  return { status: 200, body }
}

/** https://docs.slack.dev/reference/methods/blocks.validate: asks for no token. */
function validate({ message, view }: Call['args']): Reply {
  const violations = view === undefined ? checkMessage(message) : checkView(view)
  if (violations.length === 0) return { status: 200, body: { ok: true } }
  const errors = violations.map(({ path, rule }) => ({
    pointer: path,
    code: 'failed_constraint',
    message: rule,
  }))
  return { status: 200, body: { ok: false, error: 'invalid_blocks', errors } }
}

/** Answers one call as Slack does: HTTP 200 with `ok`, whatever went wrong. `call.error` is filled in. */
export function answer(
  call: Call,
  token: string | undefined,
  core: Core,
  scopes: readonly string[] | undefined,
): Reply {
  if (call.method === 'blocks.validate') return validate(call.args)
  if (call.method === 'oauth.v2.access')
    return { status: 200, body: core.oauth.access(call.args, core.directory) }
  if (call.method === 'apps.connections.open') return openConnection(token, core)
  try {
    const method = methods[call.method]
    if (method === undefined) throw new Failure('unknown_method', { req_method: call.method })
    if (token === undefined) throw new Failure('not_authed')
    const team = core.directory.byToken(token, call.args)
    if (team === undefined) throw new Failure('invalid_auth')
    if (method.scope !== undefined && scopes !== undefined && !scopes.includes(method.scope)) {
      throw new Failure('missing_scope', { needed: method.scope, provided: scopes.join(',') })
    }
    return { status: 200, body: { ok: true, ...method.run(call.args, { core, team }) } }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    call.error = error.message
    return { status: 200, body: { ok: false, error: error.message, ...error.fields } }
  } finally {
    core.changes.notify()
  }
}

function channelJson(channel: Channel, team: Team): Json {
  const isIm = channel.directWith !== undefined
  return {
    id: channel.id,
    ...(isIm ? { user: channel.directWith } : { name: channel.name, name_normalized: channel.name }),
    is_channel: !channel.isPrivate && !isIm,
    is_group: channel.isPrivate,
    is_im: isIm,
    is_mpim: false,
    is_private: channel.isPrivate || isIm,
    is_archived: channel.isArchived,
    is_member: channel.isMember,
    is_shared: channel.isExtShared,
    is_ext_shared: channel.isExtShared,
    context_team_id: team.teamId,
  }
}
