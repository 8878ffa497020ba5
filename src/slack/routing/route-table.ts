import { isCommandButton, readCommandButton } from '../blocks/action.ts'
import { ForgedValueError, readTeam } from '../blocks/values.ts'
import type { ClickPlace } from '../deliver/clicks.ts'
import type { BlockActionsPayload, CommandPayload, ShortcutPayload } from '../inbound/payloads.ts'
import { findCommand } from './commands.ts'
import {
  type ActionRoute,
  type EventRoute,
  type Handler,
  type OptionsRoute,
  type Routes,
  type SubmissionRoute,
  withArguments,
} from './routes.ts'

/** The name is for logs and metrics. */
interface FoundRoute<Route = Handler<readonly []>> {
  readonly name: string
  readonly route: Route
}

/** @throws if two routes have the same id */
function indexRoutes<Route>(type: string, routes: readonly Route[], toId: (route: Route) => string) {
  const index = new Map<string, Route>()
  for (const route of routes) {
    const id = toId(route)
    if (index.has(id)) throw new Error(`two routes for the ${type} ${id}`)
    index.set(id, route)
  }
  return index
}

const withOption = (id: string, option = '') => (option === '' ? id : `${id} ${option}`)

/** An id may be unknown in messages and views of other versions. Its route apologizes, like any route that fails. */
function unknownRoute(type: string, id: string) {
  const handle = async (): Promise<never> => {
    throw new ForgedValueError(`${type} ${id.slice(0, 100)}`)
  }
  return { name: type, route: { needs: 'member', handle } } as const
}

/** Finds the routes for the ids in payloads. */
export class RouteTable {
  readonly #commands: Routes['commands']
  readonly #actions: ReadonlyMap<string, ActionRoute>
  readonly #shortcuts
  readonly #submissions
  readonly #options
  readonly #events: ReadonlyMap<string, readonly EventRoute[]>

  /** @throws if two routes have the same id and option; only events may have several routes */
  constructor(routes: Omit<Routes, 'http' | 'signed' | 'tools' | 'jobs' | 'background'>) {
    this.#commands = routes.commands
    indexRoutes('command', routes.commands, ({ command, word }) => withOption(command, word))
    this.#actions = indexRoutes('action', routes.actions, ({ action, option }) => withOption(action, option))
    this.#shortcuts = indexRoutes('shortcut', routes.shortcuts, ({ shortcut }) => shortcut)
    this.#submissions = indexRoutes('view', routes.submissions, ({ view }) => view)
    this.#options = indexRoutes('menu', routes.options, ({ action }) => action)
    this.#events = Map.groupBy(routes.events, ({ event }) => event)
  }

  command(payload: Pick<CommandPayload, 'command' | 'text'>): FoundRoute {
    const { name, route, words } = findCommand(payload, this.#commands)
    return route ? { name, route: withArguments(route, () => [words]) } : unknownRoute('command', name)
  }

  action(
    payload: BlockActionsPayload,
    place: ClickPlace,
  ): FoundRoute & Pick<ActionRoute, 'replacesOriginal'> {
    const [action] = payload.actions
    const { action_id: id } = action
    const command = isCommandButton(id) ? readCommandButton(action.value) : undefined
    if (command) return { ...this.command(command), replacesOriginal: true }
    const own =
      this.#actions.get(withOption(id, action.selected_option?.value)) ??
      this.#actions.get(id) ??
      this.#actions.get(id.slice(0, id.lastIndexOf('.') + 1))
    if (!own) return { ...unknownRoute('click', id), replacesOriginal: false }
    const { blockId } = readTeam(action.block_id)
    const clicked = { ...action, block_id: blockId, view: payload.view ?? undefined }
    const { action: name, replacesOriginal } = own
    return { name, route: own.routeFor(clicked, place), replacesOriginal }
  }

  shortcut({ callback_id: id, message }: ShortcutPayload): FoundRoute {
    const route = this.#shortcuts.get(id)
    return route
      ? { name: `shortcut ${id}`, route: withArguments(route, () => [message]) }
      : unknownRoute('shortcut', id)
  }

  submission(id: string): FoundRoute<Pick<SubmissionRoute, 'needs' | 'waiting' | 'handle'>> {
    const route = this.#submissions.get(id)
    return route ? { name: `view ${id}`, route } : unknownRoute('submission', id)
  }

  options(id: string): FoundRoute<Pick<OptionsRoute, 'needs' | 'handle'>> {
    const route = this.#options.get(id)
    return route ? { name: `options ${id}`, route } : unknownRoute('menu', id)
  }

  events(type: string): readonly EventRoute[] {
    return this.#events.get(type) ?? []
  }
}
