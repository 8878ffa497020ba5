import { isCommandButton, readCommandButton } from '../blocks/command-button.ts'
import { ForgedValueError } from '../blocks/written-values.ts'
import type { Click, Command, ShortcutMessage } from '../inbound/payloads.ts'
import { type FoundCommand, findCommand } from './commands.ts'
import type {
  ActionRoute,
  EventRoute,
  Handler,
  OptionsRoute,
  Routes,
  ShortcutRoute,
  SubmissionRoute,
} from './routes.ts'

interface FoundRoute<Route> {
  /** For logs and metrics. */
  readonly name: string
  readonly route: Route
}

export interface FoundClick extends FoundRoute<Handler<{ readonly click: Click }>> {
  readonly replacesOriginal: boolean
}

/** Messages and views of other versions may contain unknown ids: the route apologizes. */
function unknownRoute(type: string, id: string) {
  const handle = async (): Promise<never> => {
    throw new ForgedValueError(`${type} ${id.slice(0, 100)}`)
  }
  return { name: type, route: { needs: 'member', handle } } as const
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

const toKey = (id: string, detail = '') => (detail === '' ? id : `${id} ${detail}`)

/** Finds the route of a payload. An unknown id has a route, too: it apologizes. */
export class RouteTable {
  readonly #commands: Routes['commands']
  readonly #actions: ReadonlyMap<string, ActionRoute>
  readonly #shortcuts: ReadonlyMap<string, ShortcutRoute>
  readonly #submissions: ReadonlyMap<string, SubmissionRoute>
  readonly #options: ReadonlyMap<string, OptionsRoute>
  readonly #events: ReadonlyMap<string, readonly EventRoute[]>

  /** @throws if two routes have the same id and option; only events may have several routes */
  constructor(routes: Routes) {
    this.#commands = routes.commands
    // `findCommand` needs no index.
    indexRoutes('command', routes.commands, ({ command, word }) => toKey(command, word))
    this.#actions = indexRoutes('action', routes.actions, ({ action, option }) => toKey(action, option))
    this.#shortcuts = indexRoutes('shortcut', routes.shortcuts, ({ shortcut }) => shortcut)
    this.#submissions = indexRoutes('view', routes.submissions, ({ view }) => view)
    this.#options = indexRoutes('menu', routes.options, ({ action }) => action)
    this.#events = Map.groupBy(routes.events, ({ event }) => event)
  }

  forCommand(command: Pick<Command, 'command' | 'text'>): FoundCommand {
    return findCommand(command, this.#commands) ?? { ...unknownRoute('command', command.command), words: [] }
  }

  forClick({ action }: Click): FoundClick {
    const { action_id: id } = action
    const command = isCommandButton(id) ? readCommandButton(action.value) : undefined
    if (command) return { ...this.#forCommandButton(command), replacesOriginal: true }
    // An id that ends in a dot is the prefix of several.
    const prefix = id.slice(0, id.lastIndexOf('.') + 1)
    const route =
      this.#actions.get(toKey(id, action.selected_option?.value)) ??
      this.#actions.get(id) ??
      this.#actions.get(prefix)
    if (!route) return { ...unknownRoute('click', id), replacesOriginal: false }
    return { name: route.action, route, replacesOriginal: route.replacesOriginal }
  }

  #forCommandButton(command: Pick<Command, 'command' | 'text'>): FoundRoute<Handler<object>> {
    const { name, route, words } = this.forCommand(command)
    return { name, route: { ...route, handle: ({ interaction }) => route.handle({ interaction, words }) } }
  }

  forShortcut(id: string): FoundRoute<Handler<{ readonly message: ShortcutMessage }>> {
    const route = this.#shortcuts.get(id)
    return route ? { name: `shortcut ${id}`, route } : unknownRoute('shortcut', id)
  }

  forSubmission(id: string): FoundRoute<Omit<SubmissionRoute, 'view'>> {
    const route = this.#submissions.get(id)
    return route ? { name: `view ${id}`, route } : unknownRoute('view', id)
  }

  forOptions(id: string): FoundRoute<Omit<OptionsRoute, 'action'>> {
    const route = this.#options.get(id)
    return route ? { name: `options ${id}`, route } : unknownRoute('options', id)
  }

  forEvent(type: string): readonly EventRoute[] {
    return this.#events.get(type) ?? []
  }
}

/** Returns the names of all routes but those of tools, which are loaded later. */
export function listRouteNames(routes: Routes): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { command, word = '' } of routes.commands) names.add(`/${command} ${word}`.trim())
  for (const { action } of routes.actions) names.add(action)
  for (const { shortcut } of routes.shortcuts) names.add(`shortcut ${shortcut}`)
  for (const { view } of routes.submissions) names.add(`view ${view}`)
  for (const { action } of routes.options) names.add(`options ${action}`)
  for (const { event } of routes.events) names.add(`event ${event}`)
  return names
}
