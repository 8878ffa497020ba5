import { z } from 'zod'
import type { Core } from './core.ts'
import { id, type MethodContext, MethodError, type Methods, read, throwIfRefused } from './methods.ts'
import { viewJson } from './payloads.ts'
import { type Json, viewBody } from './shapes.ts'
import type { OpenView } from './views.ts'

const VIEW_BYTES = 250_000
const STACKED = 3

/** https://docs.slack.dev/reference/methods/views.open, …/views.push, …/views.update, …/views.publish */
export const viewMethods: Methods = {
  'views.open': { run: (args, context) => openView(args, context, 'views.open') },
  'views.push': { run: (args, context) => openView(args, context, 'views.push') },
  'views.update': {
    run: (args, { core, team }) => {
      const schema = z.looseObject({
        view_id: id.optional(),
        external_id: id.optional(),
        hash: id.optional(),
      })
      const { view_id: viewId, external_id: externalId, hash } = read(schema, args, 'invalid_arguments')
      checkView(args, core, 'views.update', 'any')
      const open =
        viewId === undefined ? core.views.byExternalId(team, externalId ?? '') : core.views.get(viewId)
      if (open === undefined || open.current.team !== team) throw new MethodError('not_found')
      return { view: change(open, args, hash, core) }
    },
  },
  'views.publish': {
    run: (args, { core, team }) => {
      const schema = z.looseObject({ user_id: id, hash: id.optional() })
      const { user_id: user, hash } = read(schema, args, 'invalid_arguments')
      if (core.directory.user(team, user) === undefined) throw new MethodError('user_not_found')
      checkView(args, core, 'views.publish', 'home')
      const home = core.views.home(team, user)
      if (home !== undefined) return { view: change(home, args, hash, core) }
      return {
        view: viewJson(core.views.open(viewBody.parse(args.view), { team, user, exchange: undefined })),
      }
    },
  },
}

function openView(args: Json, { core, team }: MethodContext, method: 'views.open' | 'views.push'): Json {
  const { trigger_id: triggerId } = read(z.looseObject({ trigger_id: id }), args, 'invalid_arguments')
  checkView(args, core, method, 'modal')
  const body = viewBody.parse(args.view)
  if (body.external_id !== undefined && core.views.byExternalId(team, body.external_id) !== undefined) {
    throw new MethodError('duplicate_external_id')
  }
  const trigger = core.triggers.check(triggerId, team)
  if (typeof trigger === 'string') throw new MethodError(trigger)
  const below = trigger.viewId === undefined ? undefined : core.views.get(trigger.viewId)?.current
  const previous = method === 'views.push' ? below : undefined
  if (method === 'views.push' && previous === undefined) throw new MethodError('invalid_trigger_id')
  if (previous !== undefined && core.views.stack(previous.rootId).length >= STACKED) {
    throw new MethodError('push_limit_reached')
  }
  trigger.isUsed = true
  const { user, exchange } = trigger
  const view = core.views.open(body, { team, user, exchange, previous })
  exchange?.views.push(view)
  return { view: viewJson(view) }
}

function change(open: OpenView, args: Json, hash: string | undefined, core: Core): Json {
  if (hash !== undefined && hash !== open.current.hash) throw new MethodError('hash_conflict')
  const view = core.views.update(open, viewBody.parse(args.view))
  open.exchange?.views.push(view)
  return viewJson(view)
}

function checkView(args: Json, core: Core, method: string, type: 'modal' | 'home' | 'any'): void {
  throwIfRefused(core.checkView(args.view, method))
  if (Buffer.byteLength(JSON.stringify(args.view)) > VIEW_BYTES) throw new MethodError('view_too_large')
  if (type === 'any' || viewBody.parse(args.view).type === type) return
  throwIfRefused(
    core.refuse([{ path: '/type', rule: `must be ${type}` }], method, 'invalid_arguments', '/view'),
  )
}
