import { z } from 'zod'
import { viewJson } from '../actions/payloads.ts'
import type { Core } from '../core.ts'
import { type Json, viewBody } from '../shapes.ts'
import type { OpenView } from '../views.ts'
import { id, MethodError, type Methods, read, throwIfRefused } from './methods.ts'

const VIEW_BYTES = 250_000

/** https://docs.slack.dev/reference/methods/views.open, …/views.update, …/views.publish */
export const viewMethods: Methods = {
  'views.open': {
    run: (args, { core, team }) => {
      const { trigger_id: triggerId } = read(z.looseObject({ trigger_id: id }), args, 'invalid_arguments')
      checkView(args, core, 'views.open', 'modal')
      const trigger = core.triggers.check(triggerId, team)
      if (typeof trigger === 'string') throw new MethodError(trigger)
      trigger.isUsed = true
      const { user, exchange } = trigger
      const view = core.views.open(viewBody.parse(args.view), { team, user, exchange })
      exchange?.views.push(view)
      return { view: viewJson(view) }
    },
  },
  'views.update': {
    run: (args, { core, team }) => {
      const { view_id: viewId } = read(z.looseObject({ view_id: id }), args, 'invalid_arguments')
      checkView(args, core, 'views.update', 'any')
      const open = core.views.get(viewId)
      if (open === undefined || open.current.team !== team) throw new MethodError('not_found')
      return { view: change(open, args, core) }
    },
  },
  'views.publish': {
    run: (args, { core, team }) => {
      const { user_id: user } = read(z.looseObject({ user_id: id }), args, 'invalid_arguments')
      if (core.directory.user(team, user) === undefined) throw new MethodError('user_not_found')
      checkView(args, core, 'views.publish', 'home')
      const home = core.views.home(team, user)
      if (home !== undefined) return { view: change(home, args, core) }
      return {
        view: viewJson(core.views.open(viewBody.parse(args.view), { team, user, exchange: undefined })),
      }
    },
  },
}

function change(open: OpenView, args: Json, core: Core): Json {
  const { hash = open.current.hash } = read(z.looseObject({ hash: id.optional() }), args, 'invalid_arguments')
  if (hash !== open.current.hash) throw new MethodError('hash_conflict')
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
