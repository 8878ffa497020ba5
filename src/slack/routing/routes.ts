import type { types } from '@slack/bolt'
import type { z } from 'zod'
import type { Word } from '../../grammar/parse-words.ts'
import type { HttpRoute } from '../../http/http-server.ts'
import type { QueueWork } from '../../jobs/jobs.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { Actor, Needs } from '../access/guards.ts'
import type { Action, ToolAction } from '../blocks/action.ts'
import type { Option } from '../blocks/blocks.ts'
import type { Answer, ApologyOffers, MessageForms, OnProgress } from '../deliver/answer.ts'
import type { ClickPlace } from '../deliver/clicks.ts'
import type { SignedRoute } from '../inbound/http-receiver.ts'
import type { ActionPayload, ShortcutMessage, SlackEvent, ViewPayload } from '../inbound/payloads.ts'

/** Who asks, and where. */
export interface Interaction {
  readonly actor: Actor
  /** The actor's workspace: records are stored under it. */
  readonly tenant: TenantKey
  /** Empty in a view that belongs to no channel. */
  readonly channel: string
  /** The payload's `channel_name`: `directmessage`, `privategroup`, or the channel's own; empty in a view. */
  readonly channelName: string
  /** A view can't show everyone in the channel anything. */
  readonly isInView?: boolean
  /** Buttons of an apology if this interaction fails from here on; set by the handler. */
  fallback: ApologyOffers
  readonly onProgress: OnProgress
}

/**
 * Handler of a route: returns an answer, or opens a modal. A `trigger_id` lives 3 s, so a placeholder is opened for a
 * modal that takes longer. If it was clicked in a modal, it replaces that one. It may also return an answer.
 */
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
  /**
   * Whether the command accepts words after that one; if not, they are quoted as unknown. `secret`: rejected and never
   * echoed, because they may be credentials.
   */
  readonly moreWords?: 'read' | 'secret'
}

export interface ActionRoute {
  /** An action id, or a prefix that ends in a dot. */
  readonly action: string
  /** Value of the menu's option that this route handles; without it, all options. */
  readonly option: string | undefined
  /** `false`: the message stays, for example because everyone sees it. The answer, or an apology, comes below it. */
  readonly replacesOriginal: boolean
  routeFor(clicked: ActionPayload, place: ClickPlace): Handler<readonly []>
}

/** Handler of an action; receives the value decoded from the button. */
export type ActionHandler<Value> = Handler<
  readonly [value: Value, place: ClickPlace, action: ActionPayload]
> &
  Partial<Pick<ActionRoute, 'replacesOriginal'>>

/** Binds the handler to arguments, which are only made after the person was admitted. */
export function withArguments<Arguments extends readonly unknown[]>(
  route: Handler<Arguments>,
  makeArguments: () => Arguments,
): Handler<readonly []> {
  const { needs } = route
  if (route.handle) {
    const { handle } = route
    return { needs, handle: (interaction) => handle(interaction, ...makeArguments()) }
  }
  const { openModal } = route
  return { needs, openModal: (interaction) => openModal(interaction, ...makeArguments()) }
}

/** Creates the routes of a feature's actions. An action without a handler fails the typecheck. */
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

interface MessageAnswer {
  readonly place: ClickPlace
  readonly replacesOriginal?: boolean
  answer(): Promise<Answer | undefined>
}

/**
 * Errors by the block ids of their inputs; a view that replaces the modal, while `beside` updates the message from which
 * it was opened; or an answer on that message.
 */
export type SubmissionResult =
  | { readonly errors: Readonly<Record<string, string>> }
  | { readonly view: types.ModalView; readonly beside?: MessageAnswer | undefined }
  | MessageAnswer

export interface SubmissionRoute {
  readonly needs: Needs
  readonly view: string
  /** Text of the modal if the result takes longer than the acknowledgement may. */
  readonly waiting?: string
  handle(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult>
}

/** Slack repeats events that it thinks were lost: handling one twice must do no harm. */
export interface EventRoute {
  readonly event: string
  handle(event: SlackEvent): Promise<void>
}

export interface OptionsRoute {
  readonly needs: Needs
  readonly action: string
  handle(interaction: Interaction, typed: string): Promise<readonly Option[]>
}

/** A message whose buttons call tools, or a sentence that says why nothing was looked up. */
export type ToolAnswer = MessageForms | { readonly problem: string }

/** A tool that Slackbot can call. Tools only read. */
export interface Tool {
  readonly name: string
  readonly needs: Needs
  readonly title: string
  /** For the model that chooses a tool, and for the person who approves the call. */
  readonly description: string
  readonly input: z.ZodObject
  /** @throws what reading throws */
  run(interaction: Interaction, args: unknown): Promise<ToolAnswer>
}

/** Declares a tool whose arguments are parsed by its action's schema. */
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
  /** Only used in HTTP mode. */
  readonly signed: readonly SignedRoute[]
  /** Slackbot's tools, loaded on first use. */
  readonly tools: readonly LoadTools[]
  readonly jobs: readonly QueueWork<object>[]
  /** Work that starts once the process listens, and is retried until it succeeds. @throws {StoreError} */
  readonly background: readonly ((stopping: AbortSignal) => Promise<void>)[]
}

export type FeatureRoutes = Partial<Routes>
