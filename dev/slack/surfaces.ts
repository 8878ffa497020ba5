import { elementsIn, hasIds } from './actions/elements.ts'
import type { Team } from './directory.ts'
import type { SlackFile } from './files.ts'
import type { Ids } from './ids.ts'
import type { Block, MessageBody, ViewBody } from './shapes.ts'

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
  /** Set for a reply in a thread. */
  readonly threadTs?: string
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

export class Messages {
  /** By `ts`, the newest version first. */
  readonly #versions = new Map<string, readonly [Message, ...Message[]]>()
  readonly #ids: Ids

  constructor(ids: Ids) {
    this.#ids = ids
  }

  post(body: MessageBody, where: Pick<Message, 'channel' | 'team' | 'via' | 'onlyFor' | 'files'>): Message {
    const message = {
      ts: this.#ids.nextTs(),
      ...where,
      text: body.text ?? '',
      blocks: this.#ids.fillIn(body.blocks ?? []),
    }
    return this.#keep(body.thread_ts === undefined ? message : { ...message, threadTs: body.thread_ts })
  }

  /** The visibility stays: a response_url can't turn an ephemeral message into a public one. */
  replace(original: Message, body: MessageBody, via: Message['via']): Message {
    const isUnchanged = body.blocks === undefined && body.text === undefined
    const blocks = isUnchanged ? original.blocks : this.#ids.fillIn(body.blocks ?? [])
    return this.#keep({ ...original, via, text: body.text ?? original.text, blocks })
  }

  delete(ts: string): void {
    this.#versions.delete(ts)
  }

  deleteEphemeral(user: string): void {
    for (const { ts, onlyFor } of this.all()) if (onlyFor === user) this.delete(ts)
  }

  get(ts: string): Message | undefined {
    return this.#versions.get(ts)?.[0]
  }

  /** Returns the newest version that shows this element: people may still see an older one and click there. */
  withElement(ts: string, actionId: string, blockId?: string): Message | undefined {
    return this.#versions
      .get(ts)
      ?.find(({ blocks }) => elementsIn(blocks).some((one) => hasIds(one, actionId, blockId)))
  }

  all(): readonly Message[] {
    return [...this.#versions.values()].map(([current]) => current)
  }

  #keep(message: Message): Message {
    this.#versions.set(message.ts, [message, ...(this.#versions.get(message.ts) ?? [])])
    return message
  }
}
