import type { types } from '@slack/bolt'
import type { HttpRoute } from '../../http/http-server.ts'
import type { Job } from '../../jobs/jobs.ts'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Actor, Needs } from '../access/guards.ts'
import type { Answer, Fallback } from '../answers/answer.ts'
import type { SubmissionReply } from '../answers/submission-reply.ts'
import type { ActionPayload, ViewPayload } from '../inbound/payloads.ts'
import type { Word } from './command-words.ts'

/** What a handler knows of who asks, and where. */
export interface Interaction {
  readonly actor: Actor
  /** The actor's workspace: what its records are kept under. */
  readonly tenant: TenantKey
  /** Empty in a view that belongs to no channel. */
  readonly channel: string
  /** What an apology offers, should this interaction fail from here on. */
  setFallback(fallback: Fallback): void
}

interface Guarded {
  readonly needs: Needs
}

/**
 * A route that answers, or one that opens a modal: for that a `trigger_id` lives 3 s, so where the modal is not ready
 * soon, one that says so opens first.
 */
type Handled<Details extends readonly unknown[]> =
  | {
      handle(interaction: Interaction, ...details: Details): Promise<Answer | undefined>
      openModal?: undefined
    }
  | {
      openModal(interaction: Interaction, ...details: Details): Promise<types.ModalView>
      handle?: undefined
    }

export type CommandRoute = Guarded & {
  /** Without the slash. */
  readonly command: string
  /** The command's first word that leads here; none: every other one. */
  readonly word?: string
} & Handled<readonly [words: readonly Word[]]>

/** Where a click's answer goes: the message that was clicked, or that a modal was opened from. */
export interface ClickPlace {
  readonly responseUrl?: string | undefined
  readonly message: string
  /** Slack's `action_ts`, seconds with six decimals. */
  readonly actionTs: string
  /** Of the modal or home tab that was clicked in. */
  readonly viewId?: string | undefined
}

export type ActionRoute = Guarded & {
  /** An action id, or what it begins with where it ends in a dot. */
  readonly action: string
} & Handled<readonly [action: ActionPayload, place: ClickPlace]>

/** What a submission answers after its acknowledgement, on the message that its modal was opened from. */
export interface LaterAnswer {
  readonly place: ClickPlace
  work(): Promise<Answer | undefined>
}

export interface SubmissionRoute extends Guarded {
  /** The view's callback id. */
  readonly view: string
  handle(
    interaction: Interaction,
    view: ViewPayload,
    reply: SubmissionReply,
  ): Promise<LaterAnswer | undefined>
}

/** What happened, told by Slack's Events API. */
export interface SlackEvent {
  /** An empty team where it is about a whole organisation. */
  readonly team: Tenant
  /** Of the whole organisation, rather than of the workspace. */
  readonly isOrganisation: boolean
  /** To the second. */
  readonly at: EpochMs
  /** The event's own fields; parse what is needed. */
  readonly event: Readonly<Record<string, unknown>>
}

/** Slack repeats what it thinks was lost: handling an event twice must do no harm. */
export interface EventRoute {
  readonly event: string
  handle(event: SlackEvent): Promise<void>
}

export interface Option {
  readonly text: types.PlainTextElement
  readonly value: string
}

export interface OptionsRoute extends Guarded {
  readonly action: string
  handle(interaction: Interaction, typed: string): Promise<readonly Option[]>
}

/** Background work of a queue. */
export interface JobRoute {
  readonly queue: string
  handle(job: Job): Promise<void>
}

/** What the features answer, by what arrives. */
export interface Routes {
  readonly commands: readonly CommandRoute[]
  readonly actions: readonly ActionRoute[]
  readonly submissions: readonly SubmissionRoute[]
  readonly options: readonly OptionsRoute[]
  readonly events: readonly EventRoute[]
  readonly http: readonly HttpRoute[]
  readonly jobs: readonly JobRoute[]
  /** Done once the process listens, and again until it works: what an ended process left undone. @throws {StoreError} */
  readonly catchUps: readonly (() => Promise<void>)[]
}

/** What one feature brings. */
export type FeatureRoutes = Partial<Routes>

export const mergeRoutes = (features: readonly FeatureRoutes[]): Routes => ({
  commands: features.flatMap(({ commands = [] }) => commands),
  actions: features.flatMap(({ actions = [] }) => actions),
  submissions: features.flatMap(({ submissions = [] }) => submissions),
  options: features.flatMap(({ options = [] }) => options),
  events: features.flatMap(({ events = [] }) => events),
  http: features.flatMap(({ http = [] }) => http),
  jobs: features.flatMap(({ jobs = [] }) => jobs),
  catchUps: features.flatMap(({ catchUps = [] }) => catchUps),
})
