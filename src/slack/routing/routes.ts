import type { types } from '@slack/bolt'
import type { z } from 'zod'
import type { Word } from '../../grammar/words.ts'
import type { HttpRoute } from '../../http/http-server.ts'
import type { QueueWork } from '../../jobs/jobs.ts'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Actor, Needs } from '../access/guards.ts'
import type { Action } from '../blocks/action.ts'
import type { Option } from '../blocks/inputs.ts'
import type { Answer, ApologyOffers, MessageForms, OnProgress } from '../deliver/answer.ts'
import type { ClickPlace } from '../deliver/clicks.ts'
import type { SignedRoute } from '../inbound/http-receiver.ts'
import type { ActionPayload, ShortcutMessage, ViewPayload } from '../inbound/payloads.ts'

/** What a handler knows of who asks, and where. */
export interface Interaction {
  readonly actor: Actor
  /** The actor's workspace: what its records are kept under. */
  readonly tenant: TenantKey
  /** Empty in a view that belongs to no channel. */
  readonly channel: string
  /** As Slack names it: `directmessage`, `privategroup`, or its own; empty in a view. */
  readonly channelName: string
  /** A view can't show everyone in the channel anything. */
  readonly isInView?: boolean
  /** What an apology offers, should this interaction fail from here on: for the handler to set. */
  fallback: ApologyOffers
  readonly onProgress: OnProgress
}

/**
 * A route that answers, or one that opens a modal: for that a `trigger_id` lives 3 s, so where the modal is not ready
 * soon, one that says so opens first. Clicked in a modal, it takes that one's place. It may find that an answer says more.
 */
export type Guarded<Details extends readonly unknown[]> = { readonly needs: Needs } & (
  | {
      handle(interaction: Interaction, ...details: Details): Promise<Answer | undefined>
      openModal?: undefined
    }
  | {
      openModal(interaction: Interaction, ...details: Details): Promise<types.ModalView | Answer>
      handle?: undefined
    }
)

export type CommandRoute = Guarded<readonly [words: readonly Word[]]> & {
  readonly command: string
  /** The command's first word that leads here; none: every other one. */
  readonly word?: string
  /**
   * What becomes of the words behind that one: the route reads them, or nobody may, since they could be a key and secret.
   * Without it they are named as unknown. Only where there are none, or they are read, does the route run.
   */
  readonly moreWords?: 'read' | 'secret'
}

interface ActionRoute {
  /** An action id, or what it begins with where it ends in a dot. */
  readonly action: string
  /** For one option of a menu: the value of the one that leads here. */
  readonly option: string | undefined
  /** `false` where its message stays, as one that is everyone's does: whatever is answered, an apology too, comes below it. */
  readonly replacesOriginal: boolean
  routeFor(clicked: ActionPayload, place: ClickPlace): Guarded<readonly []>
}

/** What becomes of a click: its handler gets what rides in the action. */
export type Bound<Value> = Guarded<readonly [value: Value, place: ClickPlace, action: ActionPayload]> &
  Partial<Pick<ActionRoute, 'replacesOriginal'>>

/** The route with what its handler gets besides, which is made once the person was let in. */
export function given<Details extends readonly unknown[]>(
  route: Guarded<Details>,
  detailsOf: () => Details,
): Guarded<readonly []> {
  const { needs } = route
  if (route.handle) {
    const { handle } = route
    return { needs, handle: (who) => handle(who, ...detailsOf()) }
  }
  const { openModal } = route
  return { needs, openModal: (who) => openModal(who, ...detailsOf()) }
}

/** The routes of a feature's actions: whoever shows one of them has said here where it leads. */
export function bind<Values extends object>(
  actions: { readonly [Name in keyof Values]: Action<Values[Name]> },
  routes: { readonly [Name in keyof Values]: Bound<Values[Name]> },
): readonly ActionRoute[] {
  const bound: ActionRoute[] = []
  for (const name in actions) {
    const [action, route] = [actions[name], routes[name]]
    bound.push({
      action: action.id,
      option: action.chosen,
      replacesOriginal: route.replacesOriginal ?? true,
      routeFor: (clicked, place) => given(route, () => [action.read(clicked), place, clicked]),
    })
  }
  return bound
}

export type ShortcutRoute = Guarded<readonly [message: ShortcutMessage]> & {
  readonly shortcut: string
}

interface MessageAnswer {
  readonly place: ClickPlace
  readonly replacesOriginal?: boolean
  answer(): Promise<Answer | undefined>
}

/**
 * What a submission comes to: an error below each of these inputs, by their block ids; another view in the modal's place,
 * where `beside` also brings the message up to date that it was opened from; or an answer on that message.
 */
export type SubmissionResult =
  | { readonly errors: Readonly<Record<string, string>> }
  | { readonly view: types.ModalView; readonly beside?: MessageAnswer | undefined }
  | MessageAnswer

export interface SubmissionRoute {
  readonly needs: Needs
  readonly view: string
  /** What the modal says where its outcome takes longer than its acknowledgement may. */
  readonly waiting?: string
  handle(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult>
}

/** What happened, told by Slack's Events API. */
export interface SlackEvent {
  /** An empty team where it is about a whole organisation. */
  readonly team: Tenant
  readonly isOrganisation: boolean
  /** To the second. */
  readonly at: EpochMs
  readonly event: Readonly<Record<string, unknown>>
}

/** Slack repeats what it thinks was lost: handling an event twice must do no harm. */
export interface EventRoute {
  readonly event: string
  handle(event: SlackEvent): Promise<void>
}

export interface OptionsRoute {
  readonly needs: Needs
  readonly action: string
  handle(interaction: Interaction, typed: string): Promise<readonly Option[]>
}

/** What a tool answers: figures and rows for a model, not escaped, and the same as a message for people. */
export interface ToolResult {
  readonly title: string
  /** What it is of, with the time zone of its times. */
  readonly about: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes: readonly string[]
  /** Of a list that has pages: which one this is, and how many there are, where that is known. */
  readonly page?: number | undefined
  readonly pages?: number | undefined
  /** Whatever can be clicked in it calls a tool. */
  readonly forms: MessageForms
}

/** Why nothing was looked up, in words for people. */
interface ToolProblem {
  readonly problem: string
}

export type ToolAnswer = ToolResult | ToolProblem

/** What Slackbot can call: it only reads. */
export interface Tool {
  readonly name: string
  readonly needs: Needs
  readonly title: string
  /** For a model, which chooses by it, and for a person who approves it. */
  readonly description: string
  readonly input: z.ZodObject
  /** @throws whatever reading throws */
  run(interaction: Interaction, args: unknown): Promise<ToolAnswer>
}

export type LoadTools = () => Promise<readonly Tool[]>

export interface Routes {
  readonly commands: readonly CommandRoute[]
  readonly actions: readonly ActionRoute[]
  readonly shortcuts: readonly ShortcutRoute[]
  readonly submissions: readonly SubmissionRoute[]
  readonly options: readonly OptionsRoute[]
  readonly events: readonly EventRoute[]
  readonly http: readonly HttpRoute[]
  /** Where there is HTTP for Slack's requests. */
  readonly signed: readonly SignedRoute[]
  /** What Slackbot can ask for, loaded when it does so first. */
  readonly tools: readonly LoadTools[]
  readonly jobs: readonly QueueWork<object>[]
  /** Begun once the process listens, and again until it succeeds: what an ended process left undone, or what never ends. @throws {StoreError} */
  readonly background: readonly ((stopping: AbortSignal) => Promise<void>)[]
}

export type FeatureRoutes = Partial<Routes>
