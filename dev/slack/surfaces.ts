import type { Team } from './directory.ts'
import type { SlackFile } from './files.ts'
import type { Block, ViewBody } from './shapes.ts'

/** A version of a message. A click on an older version is a click on its old buttons. */
export interface Message {
  readonly ts: string
  readonly channel: string
  readonly team: Team
  /** The only person who sees an ephemeral message; undefined for a public one. */
  readonly onlyFor?: string
  readonly text: string
  readonly blocks: readonly Block[]
  readonly files?: readonly SlackFile[]
  /** Origin: a command's acknowledgement, a response_url, or a method such as chat.postMessage. */
  readonly via: 'ack' | 'response_url' | 'api'
}

export interface View extends ViewBody {
  readonly id: string
  readonly hash: string
  readonly team: Team
  readonly user: string
}

/** A message or view that contains a clicked element. https://docs.slack.dev/surfaces */
export type Surface =
  | { readonly message: Message; readonly view?: undefined }
  | { readonly view: View; readonly message?: undefined }

export function getTeam({ message, view }: Surface): Team {
  return (message ?? view).team
}
