import type { types, ViewResponseAction } from '@slack/bolt'
import type { Tenant, TenantKey } from '../../store/tenant.ts'
import type { Needs, Visitor } from '../access/guards.ts'
import type { ApologyContext } from '../answers/error-texts.ts'
import type { SlowWork } from '../answers/submissions.ts'
import type { Answer } from '../answers/table-support.ts'
import type { ActionPayload, ViewPayload } from '../inbound/payloads.ts'
import type { Word } from './command-words.ts'

/** What a handler knows of who asks, and where. */
export interface Interaction {
  readonly visitor: Visitor
  readonly tenant: TenantKey
  /** Empty in a view that belongs to no channel. */
  readonly channel: string
  /** What a Retry button would carry and what was asked, should this interaction fail from here on. */
  offerRetry(offered: Pick<ApologyContext, 'retry' | 'asked'>): void
}

/** A handler's result that opens a modal. */
export interface Modal {
  readonly modal: types.ModalView
}

interface Guarded {
  readonly needs: Needs
}

/**
 * A route that answers, or one that opens a modal: for that a `trigger_id` lives 3 s, so where the modal is not ready
 * soon, one that says so opens first.
 */
type Handled<Given extends readonly unknown[]> =
  | { handle(interaction: Interaction, ...given: Given): Promise<Answer | undefined>; openModal?: undefined }
  | { openModal(interaction: Interaction, ...given: Given): Promise<Modal>; handle?: undefined }

export type CommandRoute = Guarded & {
  /** Without the slash. */
  readonly command: string
  /** The command's first word that leads here; none: every other one. */
  readonly word?: string
} & Handled<readonly [words: readonly Word[]]>

/** Where an answer goes: the message that was clicked, or that a modal was opened from. */
export interface Place {
  readonly responseUrl?: string | undefined
  readonly message: string
  readonly actionTs: string
  /** Of the modal or home tab that was clicked in. */
  readonly viewId?: string | undefined
}

export type ActionRoute = Guarded & {
  /** An action id, or what it begins with where it ends in a dot. */
  readonly action: string
} & Handled<readonly [action: ActionPayload, place: Place]>

export interface SubmissionReplies {
  /** Within 3 s; a message for the person has no place in it. */
  ack(answer?: ViewResponseAction): Promise<void>
  /** Acknowledges with what the work comes to, or turns the modal to it once it is done. */
  slowly<T>(slow: SlowWork<T>): Promise<void>
  /** After the acknowledgement: answers on the message that the modal was opened from, an apology included. */
  answer(place: Place, produce: () => Promise<Answer | undefined>): Promise<void>
}

export interface SubmissionRoute extends Guarded {
  /** The view's callback id. */
  readonly view: string
  handle(interaction: Interaction, view: ViewPayload, replies: SubmissionReplies): Promise<void>
}

/** What happened, told by Slack's Events API. */
export interface SlackEvent {
  /** An empty team where it is about a whole organisation. */
  readonly tenant: Tenant
  /** Of the whole organisation, rather than of the workspace. */
  readonly isOrganisation: boolean
  /** Epoch ms, to the second. */
  readonly at: number
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

/** What one feature brings. */
export type FeatureRoutes = Partial<Routes>

export interface Routes {
  readonly commands: readonly CommandRoute[]
  readonly actions: readonly ActionRoute[]
  readonly submissions: readonly SubmissionRoute[]
  readonly options: readonly OptionsRoute[]
  readonly events: readonly EventRoute[]
}
