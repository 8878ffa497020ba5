import type { Channel, User } from './directory.ts'
import type { Choice } from './elements.ts'
import type { Json } from './shapes.ts'
import type { Message, View } from './stores.ts'

/** Fields that replace those of the payload; for other shapes of installation, and for forgeries. */
export interface Altered {
  readonly fields?: Json
}

export interface CommandInput extends Altered {
  readonly command: string
  /** As Slack sends it: with `should_escape`, mentions and entities are the caller's to write. */
  readonly text?: string
  readonly user?: User
  readonly channel?: Channel
}

/** Where somebody clicks: in a message or a view, as it was shown to them. */
export type Place =
  | { readonly message: Message; readonly view?: undefined }
  | { readonly view: View; readonly message?: undefined }

export type ClickInput = Place &
  Altered & {
    readonly action_id: string
    /** Where one action_id is in several blocks. */
    readonly block_id?: string
    readonly user?: User
    /** What was chosen: an option's value or text, a date, an id, or an option from a suggestion. */
    readonly choose?: Choice
    /** What was entered in other fields of the view before, by action_id or block_id. */
    readonly values?: Readonly<Record<string, Choice>>
  }

export type RawClickInput = Place & Altered & { readonly user?: User; readonly action: Json }

export type SuggestInput = Place &
  Altered & {
    readonly action_id: string
    readonly block_id?: string
    readonly value: string
    readonly user?: User
  }

export interface SubmitInput extends Altered {
  readonly view: View
  /** By action_id or block_id; null empties a field. What is not named keeps what it held. */
  readonly values?: Readonly<Record<string, Choice>>
  readonly user?: User
  /** Sends it although Slack would keep it back, a required field being empty. */
  readonly force?: boolean
}

export interface CloseInput extends Altered {
  readonly view: View
  readonly user?: User
}

export interface RawInput {
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Seconds since 1970 that the signature is made for; now unless it is given. */
  readonly timestamp?: number
  /** Signs with another secret. */
  readonly secret?: string
}
