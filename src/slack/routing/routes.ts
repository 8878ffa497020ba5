import type { types } from '@slack/bolt'
import type { z } from 'zod'
import { isPlainWord, splitWords, type Word } from '../../grammar/parse-words.ts'
import type { HttpRoute } from '../../http/http-server.ts'
import type { QueueWork } from '../../jobs/jobs.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { formatNumber } from '../../util/text.ts'
import type { Needs } from '../access/access-rules.ts'
import type { Actor } from '../access/guards.ts'
import type { Action } from '../blocks/actions.ts'
import { readTeam } from '../blocks/block-team.ts'
import { type Option, unescapeText } from '../blocks/blocks.ts'
import { isCommandButton, readCommandButton } from '../blocks/command-button.ts'
import { problemMessage } from '../blocks/problem-message.ts'
import type { ToolAction } from '../blocks/tool-action.ts'
import { ForgedValueError } from '../blocks/written-values.ts'
import type { ApologyOffers } from '../deliver/failures.ts'
import {
  type Answer,
  type ClickPlace,
  type MessageForms,
  type OnProgress,
  textAnswer,
} from '../deliver/replies.ts'
import type { SignedRoute } from '../inbound/http-receiver.ts'
import type {
  ActionPayload,
  ClickPayload,
  CommandPayload,
  ShortcutMessage,
  ShortcutPayload,
  SlackEvent,
  ViewPayload,
} from '../inbound/payloads.ts'
import { unknownWordsMessage } from './words.ts'

export interface Interaction {
  readonly actor: Actor
  readonly tenant: TenantKey
  /** Empty in a view that belongs to no channel. */
  readonly channel: string
  readonly channelName: string
  /** Only this person sees a view, so nothing can be shared from it. */
  isInView?: boolean
  /** Buttons of the apology if the interaction fails; set by the handler. */
  fallback: ApologyOffers
  readonly onProgress: OnProgress
}

/** A modal that is opened from another modal replaces it. */
export type Handler<Arguments extends readonly unknown[]> = { readonly needs: Needs } & (
  | {
      handle(interaction: Interaction, ...args: Arguments): Promise<Answer | undefined>
      openModal?: undefined
    }
  | {
      openModal(interaction: Interaction, ...args: Arguments): Promise<types.ModalView | Answer>
      handle?: undefined
    }
)

export type CommandRoute = Handler<readonly [words: readonly Word[]]> & {
  readonly command: string
  /** The command's first word; without it, the route handles all other words. */
  readonly word?: string
  /** By default, other words are refused; `secret`: without quoting them, since they may be credentials. */
  readonly moreWords?: 'read' | 'secret'
}

export interface ActionRoute {
  /** An action id, or a prefix that ends in a dot. */
  readonly action: string
  /** Menu option that this route handles; without it, all options. */
  readonly option: string | undefined
  /** `false` if the message stays, for example because everyone sees it; the answer is posted below. */
  readonly replacesOriginal: boolean
  routeFor(clicked: ActionPayload, place: ClickPlace): Handler<readonly []>
}

export type ActionHandler<Value> = Handler<
  readonly [value: Value, place: ClickPlace, action: ActionPayload]
> &
  Partial<Pick<ActionRoute, 'replacesOriginal'>>

/** Makes the arguments only after the person was admitted. */
const withArguments = <Arguments extends readonly unknown[]>(
  route: Handler<Arguments>,
  makeArguments: () => Arguments,
): Handler<readonly []> =>
  route.handle
    ? { needs: route.needs, handle: (interaction) => route.handle(interaction, ...makeArguments()) }
    : { needs: route.needs, openModal: (interaction) => route.openModal(interaction, ...makeArguments()) }

/** An action without a handler fails the typecheck. */
export function bind<Values extends object>(
  actions: { readonly [Name in keyof Values]: Action<Values[Name]> },
  handlers: { readonly [Name in keyof NoInfer<Values>]: ActionHandler<NoInfer<Values>[Name]> },
): readonly ActionRoute[] {
  const routes: ActionRoute[] = []
  for (const name in actions) {
    const [action, handler] = [actions[name], handlers[name]]
    routes.push({
      action: action.id,
      option: action.chosen,
      replacesOriginal: handler.replacesOriginal ?? true,
      routeFor: (clicked, place) => withArguments(handler, () => [action.read(clicked), place, clicked]),
    })
  }
  return routes
}

export type ShortcutRoute = Handler<readonly [message: ShortcutMessage]> & { readonly shortcut: string }

/** Answer that is shown in a message, such as the one whose button opened the modal. */
export interface MessageAnswer {
  readonly place: ClickPlace
  readonly replacesOriginal?: boolean
  answer(): Promise<Answer | undefined>
}

/** Errors are keyed by block id; a view replaces the modal. */
export type SubmissionResult =
  | { readonly errors: Readonly<Record<string, string>> }
  | { readonly view: types.ModalView; readonly inMessage?: MessageAnswer | undefined }
  | MessageAnswer

export interface SubmissionRoute {
  readonly needs: Needs
  readonly view: string
  /** Shown while the result takes longer than the acknowledgement may. */
  readonly waiting?: string
  handle(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult>
}

/** Slack repeats events that it thinks were lost, so handlers must be idempotent. */
export interface EventRoute {
  readonly event: string
  handle(event: SlackEvent): Promise<void>
}

export interface OptionsRoute {
  readonly needs: Needs
  readonly action: string
  handle(interaction: Interaction, typed: string): Promise<readonly Option[]>
}

/** `problem` says in a sentence why nothing was looked up. */
export type ToolAnswer = MessageForms | { readonly problem: string }

/** Slackbot calls tools, which must only read. */
export interface Tool {
  readonly name: string
  readonly needs: Needs
  readonly title: string
  /** For the model that chooses a tool, and for the person who approves the call. */
  readonly description: string
  readonly input: z.ZodObject
  run(interaction: Interaction, args: unknown): Promise<ToolAnswer>
}

export const tool = <Args extends object>(
  { tool: name, input }: ToolAction<Args>,
  own: Pick<Tool, 'needs' | 'title' | 'description'>,
  run: (interaction: Interaction, args: Args) => Promise<ToolAnswer>,
): Tool => ({ ...own, name, input, run: async (interaction, args) => run(interaction, input.parse(args)) })

export type LoadTools = () => Promise<readonly Tool[]>

export interface Routes {
  readonly commands: readonly CommandRoute[]
  readonly actions: readonly ActionRoute[]
  readonly shortcuts: readonly ShortcutRoute[]
  readonly submissions: readonly SubmissionRoute[]
  readonly options: readonly OptionsRoute[]
  readonly events: readonly EventRoute[]
  readonly http: readonly HttpRoute[]
  readonly signed: readonly SignedRoute[]
  readonly tools: readonly LoadTools[]
  readonly jobs: readonly QueueWork<object>[]
  /** Starts once the process listens; retried until it succeeds. @throws {StoreError} */
  readonly background: readonly ((stopping: AbortSignal) => Promise<void>)[]
}

export type FeatureRoutes = Partial<Routes>

/** No other app's command has this name. Another command's may follow: `/callboard calls`. */
const LONG_NAME = 'callboard'

/** Bounds the work of parsing; longer text was pasted by mistake. */
const MAX_CHARACTERS = 1000
const MAX_WORDS = 50

/** Restores typed links and addresses, which Slack changes to `<mailto:a@b.com|a@b.com>`. */
const unwrapLinks = (text: string): string =>
  text.replaceAll(
    /<(?![#@!])(?:mailto:|tel:)?([^|<>]*)(?:\|([^<>]*))?>/g,
    (_, target: string, label: string | undefined) => label || target,
  )

/** Unwraps a typed `<#C123>`, because Slack writes chosen channels like that. */
const unmention = (text: string): string => text.replaceAll(/&lt;(#[A-Z0-9]+(?:\|[^<>]*?)?)&gt;/g, '$1')

export const commandWords = (text: string): readonly Word[] =>
  splitWords(unescapeText(unwrapLinks(unmention(text))))

interface FoundRoute<Route = Handler<readonly []>> {
  readonly name: string
  readonly route: Route
}

/** Messages and views of other versions may contain unknown ids: the route apologizes. */
function unknownRoute(type: string, id: string) {
  const handle = async (): Promise<never> => {
    throw new ForgedValueError(`${type} ${id.slice(0, 100)}`)
  }
  return { name: type, route: { needs: 'member', handle } } as const
}

const toFound = <Route>(type: string, id: string, route: Route | undefined) =>
  route ? { name: `${type} ${id}`, route } : unknownRoute(type, id)

function tooLong(count: number, max: number, unit: string): FoundRoute {
  const [found, limit] = [count, max].map(formatNumber)
  const answer = textAnswer(`That's too long: ${found} ${unit}. A command can have up to ${limit}.`)
  return { name: `/${LONG_NAME}`, route: { needs: 'member', handle: async () => answer } }
}

function refuseWords(
  { command, word, needs, moreWords }: CommandRoute,
  words: readonly Word[],
): Handler<readonly []> {
  const alone = `/${command} ${word}`
  const secretText = `Type ${alone} alone, and enter the key and secret in the form.`
  const message =
    moreWords === 'secret'
      ? problemMessage(secretText, { command: alone, buttons: [] })
      : unknownWordsMessage(words, alone)
  return { needs, handle: async () => ({ message }) }
}

const plainWord = (word: Word | undefined) => (isPlainWord(word) ? word.value.toLowerCase() : undefined)

/** `help` must come first, because names contain it: Help Desk. */
function findSubcommand(routes: readonly CommandRoute[], words: readonly Word[]) {
  for (const [at, one] of words.entries()) {
    const word = plainWord(one)
    const route = routes.find((candidate) => word !== undefined && candidate.word === word)
    if (route && (at === 0 || word !== 'help')) return { route, words: words.toSpliced(at, 1) }
  }
  const route = routes.find(({ word }) => word === undefined)
  return route && { route, words }
}

/** Under `/callboard`, the first word is the command's name. */
export function findCommand(
  { command: slashed, text }: Pick<CommandPayload, 'command' | 'text'>,
  routes: readonly CommandRoute[],
): FoundRoute {
  if (text.length > MAX_CHARACTERS) return tooLong(text.length, MAX_CHARACTERS, 'characters')
  const all = commandWords(text)
  if (all.length > MAX_WORDS) return tooLong(all.length, MAX_WORDS, 'words')
  const first = plainWord(all[0])
  const general = routes.filter(({ command }) => command === LONG_NAME)
  const isPrefixed = slashed === `/${LONG_NAME}` && !general.some(({ word }) => word && word === first)
  const command = isPrefixed ? (first ?? '') : slashed.slice(1)
  const named = routes.filter((route) => route.command === command)
  const found = findSubcommand(named, isPrefixed ? all.slice(1) : all) ?? findSubcommand(general, all)
  if (!found) return unknownRoute('command', slashed)
  const { route, words } = found
  const name = `/${route.command} ${route.word ?? ''}`.trim()
  const isAccepted = route.word === undefined || route.moreWords === 'read' || words.length === 0
  return { name, route: isAccepted ? withArguments(route, () => [words]) : refuseWords(route, words) }
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

export class RouteTable {
  readonly #commands: Routes['commands']
  readonly #actions: ReadonlyMap<string, ActionRoute>
  readonly #shortcuts
  readonly #submissions
  readonly #options
  readonly #events: ReadonlyMap<string, readonly EventRoute[]>

  /** @throws if two routes have the same id and option; only events may have several routes */
  constructor(routes: Routes) {
    this.#commands = routes.commands
    indexRoutes('command', routes.commands, ({ command, word }) => withOption(command, word))
    this.#actions = indexRoutes('action', routes.actions, ({ action, option }) => withOption(action, option))
    this.#shortcuts = indexRoutes('shortcut', routes.shortcuts, ({ shortcut }) => shortcut)
    this.#submissions = indexRoutes('view', routes.submissions, ({ view }) => view)
    this.#options = indexRoutes('menu', routes.options, ({ action }) => action)
    this.#events = Map.groupBy(routes.events, ({ event }) => event)
  }

  command(payload: Pick<CommandPayload, 'command' | 'text'>): FoundRoute {
    return findCommand(payload, this.#commands)
  }

  action(payload: ClickPayload, place: ClickPlace): FoundRoute & Pick<ActionRoute, 'replacesOriginal'> {
    const [action] = payload.actions
    const { action_id: id } = action
    const command = isCommandButton(id) ? readCommandButton(action.value) : undefined
    if (command) return { ...this.command(command), replacesOriginal: true }
    const found =
      this.#actions.get(withOption(id, action.selected_option?.value)) ??
      this.#actions.get(id) ??
      this.#actions.get(id.slice(0, id.lastIndexOf('.') + 1))
    if (!found) return { ...unknownRoute('click', id), replacesOriginal: false }
    const { blockId } = readTeam(action.block_id)
    const clicked = { ...action, block_id: blockId, view: payload.view ?? undefined }
    const { action: name, replacesOriginal } = found
    return { name, route: found.routeFor(clicked, place), replacesOriginal }
  }

  shortcut({ callback_id: id, message }: ShortcutPayload): FoundRoute {
    const { name, route } = toFound('shortcut', id, this.#shortcuts.get(id))
    return { name, route: withArguments(route, () => [message]) }
  }

  submission(id: string): FoundRoute<Omit<SubmissionRoute, 'view'>> {
    return toFound('view', id, this.#submissions.get(id))
  }

  options(id: string) {
    return toFound('options', id, this.#options.get(id))
  }

  events(type: string): readonly EventRoute[] {
    return this.#events.get(type) ?? []
  }
}
