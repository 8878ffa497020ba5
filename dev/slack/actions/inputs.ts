import type { Channel, Team, User } from '../directory.ts'
import type { Json } from '../shapes.ts'
import type { Message, Surface, View } from '../surfaces.ts'
import type { Choice } from './elements.ts'

/** Fields that replace those of the payload, for other types of installation and for forged payloads. */
interface PayloadOverrides {
  readonly fields?: Json
}

export interface CommandInput extends PayloadOverrides {
  readonly command: string
  /** Text as Slack sends it: with `should_escape`, the caller escapes mentions and entities. */
  readonly text?: string
  readonly user?: User
  readonly channel?: Channel
}

export interface ShortcutInput extends PayloadOverrides {
  readonly callback_id: string
  /** A public message, because Slack offers no shortcuts on ephemeral ones. */
  readonly message: Message | WrittenMessage
  readonly user?: User
}

/** A person's message, with any of Slack's fields. */
export interface WrittenMessage extends Json {
  readonly text: string
  readonly channel?: Channel
  readonly thread_ts?: string
}

interface OnSurface extends PayloadOverrides {
  readonly user?: User
}

interface OnElement extends OnSurface {
  readonly action_id: string
  readonly block_id?: string
}

export type ClickInput = Surface &
  OnElement & {
    /** The choice: an option's value or text, a date, an id, or an option from a suggestion. */
    readonly choose?: Choice
    /** Earlier input in other fields of the view, by action_id or block_id. */
    readonly values?: Readonly<Record<string, Choice>>
  }

export type RawClickInput = Surface & OnSurface & { readonly action: Json }

export type SuggestInput = Surface & OnElement & { readonly value: string }

export interface CloseInput extends OnSurface {
  readonly view: View
}

export interface SubmitInput extends CloseInput {
  /** By action_id or block_id. `null` empties a field; other fields keep their values. */
  readonly values?: Readonly<Record<string, Choice>>
  /** Submits the modal even if a required field is empty. */
  readonly force?: boolean
}

export interface EventInput extends PayloadOverrides {
  readonly team?: Team
}

export interface RawRequest {
  /** `/slack/events` by default. */
  readonly path?: string
  /** Timeout; by default that of acknowledgements. */
  readonly timeoutMs?: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Signed timestamp in seconds since 1970; now by default. */
  readonly timestamp?: number
  /** `null` for an unsigned request. */
  readonly secret?: string | null
}
