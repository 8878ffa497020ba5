import type { types } from '@slack/bolt'
import type { z } from 'zod'
import type { HttpRoute } from '../../http/http-server.ts'
import type { QueueWork } from '../../jobs/jobs.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { Needs } from '../access/access-rules.ts'
import type { Actor } from '../access/guards.ts'
import type { Action } from '../blocks/actions.ts'
import type { Option } from '../blocks/blocks.ts'
import type { ToolAction } from '../blocks/tool-action.ts'
import type { Answer, MessageVariants, Reply } from '../deliver/answers.ts'
import type { OnProgress } from '../deliver/exchange.ts'
import type { SignedRoute } from '../inbound/http-receiver.ts'
import type { Click, ShortcutMessage, SlackEvent, ViewPayload } from '../inbound/payloads.ts'
import type { Word } from './words.ts'

/** A request of an admitted person. */
export interface Interaction {
  readonly actor: Actor
  readonly tenant: TenantKey
  /** Empty in a view that belongs to no channel. */
  readonly channel: string
  readonly channelName: string
  /** Only this person sees a view, so nothing can be shared from it. */
  readonly isInView: boolean
  readonly announce: OnProgress
  /** @param work runs after the reply was sent or failed; must not reject */
  readonly afterwards: (work: () => Promise<void>) => void
}

/** Details depend on the kind of route: words, a click, a view. */
type RequestWith<Details> = { readonly interaction: Interaction } & Details

export interface Handler<Details> {
  readonly needs: Needs
  /** Set where the reply is usually a modal: a `trigger_id` expires after 3 s, so a waiting modal opens for a slow handler. */
  readonly opensModal?: boolean | undefined
  handle(request: RequestWith<Details>): Promise<Reply | undefined>
}

export type CommandRequest = RequestWith<{ readonly words: readonly Word[] }>

export interface CommandRoute extends Handler<{ readonly words: readonly Word[] }> {
  readonly command: string
  /** One or two words that name the route, anywhere in the command. Without it, the route handles all other words. */
  readonly word?: string
  readonly aliases?: readonly string[]
  /** Whether words that name no route mean this one: `missed by agent` is a report. */
  isMeant?(words: readonly Word[]): boolean
  /** `read`: the handler reads other words. Otherwise they are refused; `secret` doesn't quote them, since they may be a key. */
  readonly moreWords?: 'read' | 'secret'
}

export interface ActionRoute extends Handler<{ readonly click: Click }> {
  /** An action id, or a prefix that ends in a dot. */
  readonly action: string
  /** Menu option that this route handles; without it, all options. */
  readonly option: string | undefined
  /** `false` if the message stays, for example because everyone sees it; the answer is posted below. */
  readonly replacesOriginal?: boolean | undefined
}

export interface ActionHandler<Value> extends Handler<{ readonly value: Value; readonly click: Click }> {
  readonly replacesOriginal?: boolean
}

export const bindAction = <Value>(action: Action<Value>, handler: ActionHandler<Value>): ActionRoute => ({
  ...handler,
  action: action.id,
  option: action.chosen,
  // The value is read only after the person was admitted.
  handle: async ({ interaction, click }) =>
    handler.handle({ interaction, click, value: action.read(click.action) }),
})

/** The actions decide the types: one without a handler fails the typecheck. */
export function bind<Values extends object>(
  actions: { readonly [Name in keyof Values]: Action<Values[Name]> },
  handlers: { readonly [Name in keyof NoInfer<Values>]: ActionHandler<NoInfer<Values>[Name]> },
): readonly ActionRoute[] {
  const routes: ActionRoute[] = []
  for (const name in actions) routes.push(bindAction(actions[name], handlers[name]))
  return routes
}

export interface ShortcutRoute extends Handler<{ readonly message: ShortcutMessage }> {
  readonly opensModal: true
  readonly shortcut: string
}

export interface SubmissionResult {
  /** By block id; the modal stays. */
  readonly errors?: Readonly<Record<string, string>> | undefined
  /** Replaces the modal. */
  readonly view?: types.ModalView | undefined
  /** Shown on the message whose button opened the modal, or in the modal if it has no other view. */
  readonly answer?: Promise<Answer | undefined> | undefined
}

export type SubmissionRequest = RequestWith<{ readonly view: ViewPayload }>

export interface SubmissionRoute {
  readonly needs: Needs
  /** The `callback_id` of the view. */
  readonly view: string
  handle(request: SubmissionRequest): Promise<SubmissionResult>
}

/** Slack repeats events that it thinks were lost, so handlers must be idempotent. */
export interface EventRoute {
  readonly event: string
  /** Acknowledged only after success, so that Slack repeats it after a failure. Must take less than 3 s. */
  readonly mustSucceed?: boolean
  handle(event: SlackEvent): Promise<void>
}

export interface OptionsRoute {
  readonly needs: Needs
  readonly action: string
  handle(request: RequestWith<{ readonly typed: string }>): Promise<readonly Option[]>
}

/** `problem` says in a sentence why nothing was looked up. */
export type ToolAnswer = MessageVariants | { readonly problem: string }

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
  details: Pick<Tool, 'needs' | 'title' | 'description'>,
  run: (interaction: Interaction, args: Args) => Promise<ToolAnswer>,
): Tool => ({
  ...details,
  name,
  input,
  run: async (interaction, args) => run(interaction, input.parse(args)),
})

export interface Routes {
  readonly commands: readonly CommandRoute[]
  readonly actions: readonly ActionRoute[]
  readonly shortcuts: readonly ShortcutRoute[]
  readonly submissions: readonly SubmissionRoute[]
  readonly options: readonly OptionsRoute[]
  readonly events: readonly EventRoute[]
  readonly http: readonly HttpRoute[]
  readonly signed: readonly SignedRoute[]
  /** Loaded when Slackbot first asks, so that their modules can be imported late. */
  readonly tools: readonly (() => Promise<readonly Tool[]>)[]
  readonly jobs: readonly QueueWork<object>[]
  /** Starts once the process listens; retried until it succeeds. @throws {StoreError} */
  readonly background: readonly ((stopping: AbortSignal) => Promise<void>)[]
}

export type FeatureRoutes = Partial<Routes>
