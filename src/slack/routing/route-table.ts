import { ForgedValueError } from '../blocks/actions.ts'
import { isCommandButton, readCommandButton } from '../blocks/buttons.ts'
import type { ActionPayload, Click, Command } from '../inbound/payloads.ts'
import { type FoundCommand, findCommand } from './commands.ts'
import type { ActionRoute, Handler, Routes, SubmissionRoute } from './routes.ts'

interface FoundRoute<Route> {
  readonly name: string
  readonly route: Route
}

type ClickHandler = Handler<{ readonly click: Click }>

export interface FoundClick extends FoundRoute<ClickHandler> {
  readonly replacesOriginal: boolean
}

/** Messages and views of other versions may contain unknown ids: the route apologizes. */
function createApologizingRoute(type: string, id: string) {
  const handle = async (): Promise<never> => {
    throw new ForgedValueError(`${type} ${id.slice(0, 100)}`)
  }
  return { name: type, route: { needs: 'member', handle } } as const
}

/** Finds the route of a payload. An unknown id has a route, too: it apologizes. */
export class RouteTable {
  readonly #routes: Omit<Routes, 'actions'>
  readonly #actions: ReadonlyMap<string, ActionRoute>

  constructor({ actions, ...routes }: Routes) {
    this.#routes = routes
    this.#actions = new Map(actions.map((route) => [toKey(route.action, route.option), route]))
  }

  forCommand(command: Pick<Command, 'command' | 'text'>): FoundCommand {
    const found = findCommand(command, this.#routes.commands)
    return found ?? { ...createApologizingRoute('command', command.command), words: [] }
  }

  forClick({ action_id: id, value, selected_option }: ActionPayload): FoundClick {
    const command = isCommandButton(id) ? readCommandButton(value) : undefined
    if (command) {
      const { name, route, words } = this.forCommand(command)
      const handle: ClickHandler['handle'] = ({ interaction }) => route.handle({ interaction, words })
      return { name, route: { ...route, handle }, replacesOriginal: true }
    }
    const entryKey = toKey(id, selected_option?.value)
    const prefix = id.slice(0, id.lastIndexOf('.') + 1)
    // A route may be for an entry of a menu, for one action, or for several with a prefix that ends in a dot.
    const route = this.#actions.get(entryKey) ?? this.#actions.get(id) ?? this.#actions.get(prefix)
    // The message may be one that everyone sees.
    if (!route) return { ...createApologizingRoute('click', id), replacesOriginal: false }
    return { name: route.action, route, replacesOriginal: route.replacesOriginal ?? true }
  }

  forShortcut(id: string) {
    const route = this.#routes.shortcuts.find(({ shortcut }) => shortcut === id)
    if (route) return { name: `shortcut ${id}`, route }
    return createApologizingRoute('shortcut', id)
  }

  forSubmission(id: string): FoundRoute<Omit<SubmissionRoute, 'view'>> {
    const route = this.#routes.submissions.find(({ view }) => view === id)
    if (route) return { name: `view ${id}`, route }
    return createApologizingRoute('view', id)
  }

  forOptions(id: string) {
    const route = this.#routes.options.find(({ action }) => action === id)
    if (route) return { name: `options ${id}`, route }
    return createApologizingRoute('options', id)
  }

  forEvent(type: string): Routes['events'] {
    return this.#routes.events.filter(({ event }) => event === type)
  }
}

const toKey = (id: string, option = '') => (option === '' ? id : `${id} ${option}`)

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
