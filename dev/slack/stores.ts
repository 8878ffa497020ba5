import type { Team } from './directory.ts'
import type { Interaction } from './interaction.ts'
import { type Block, type Json, type MessageBody, type ViewBody, withIds } from './shapes.ts'

/** A message as it was shown at one moment. Clicking on an older one is clicking on a button that was there before. */
export interface Message {
  readonly ts: string
  readonly channel: string
  readonly team: Team
  /** The one person who sees it; undefined where the whole channel does. */
  readonly onlyFor?: string
  readonly text: string
  readonly blocks: readonly Block[]
  readonly threadTs?: string
  /** How it came: a command's acknowledgement, a response_url, or a method such as chat.postMessage. */
  readonly via: 'ack' | 'response_url' | 'api'
}

export class Messages {
  readonly #current = new Map<string, Message>()
  readonly #nextTs: () => string

  constructor(nextTs: () => string) {
    this.#nextTs = nextTs
  }

  show(body: MessageBody, where: Pick<Message, 'channel' | 'team' | 'via'> & { onlyFor?: string }): Message {
    const ts = this.#nextTs()
    return this.#keep({
      ts,
      ...where,
      text: body.text ?? '',
      blocks: withIds(body.blocks ?? []),
      ...(body.thread_ts === undefined ? {} : { threadTs: body.thread_ts }),
    })
  }

  /** Who sees it does not change: a response_url cannot turn an ephemeral message into a public one. */
  replace(original: Message, body: MessageBody, via: Message['via']): Message {
    const blocks =
      body.blocks === undefined && body.text === undefined ? original.blocks : withIds(body.blocks ?? [])
    return this.#keep({ ...original, via, text: body.text ?? original.text, blocks })
  }

  delete(ts: string): void {
    this.#current.delete(ts)
  }

  get(ts: string): Message | undefined {
    return this.#current.get(ts)
  }

  all(): readonly Message[] {
    return [...this.#current.values()]
  }

  #keep(message: Message): Message {
    this.#current.set(message.ts, message)
    return message
  }
}

/** A view as it was shown at one moment. */
export interface View extends ViewBody {
  readonly id: string
  readonly hash: string
  readonly team: Team
  readonly user: string
  readonly rootId: string
  readonly previousId: string | null
}

/** What is kept of a view that is open, or of a home tab that was published. */
export interface HeldView {
  current: View
  /** What the person entered, by block_id and action_id. */
  readonly entered: Map<string, Json>
  /** The interaction that its changes are told to: the last one that touched it. */
  interaction: Interaction | undefined
}

export class Views {
  readonly #open = new Map<string, HeldView>()
  readonly #nextId: () => string

  constructor(nextId: () => string) {
    this.#nextId = nextId
  }

  open(
    body: ViewBody,
    team: Team,
    user: string,
    interaction: Interaction | undefined,
    previous?: View,
  ): View {
    const id = `V${this.#nextId()}`
    const current: View = {
      ...body,
      blocks: withIds(body.blocks),
      id,
      hash: this.#nextId(),
      team,
      user,
      rootId: previous?.rootId ?? id,
      previousId: previous?.id ?? null,
    }
    this.#open.set(id, { current, entered: new Map(), interaction })
    return current
  }

  /** What was entered stays where the ids of block and element stay. */
  update(held: HeldView, body: ViewBody): View {
    const { id, team, user, rootId, previousId } = held.current
    held.current = {
      ...body,
      blocks: withIds(body.blocks),
      id,
      hash: this.#nextId(),
      team,
      user,
      rootId,
      previousId,
    }
    return held.current
  }

  get(id: string): HeldView | undefined {
    return this.#open.get(id)
  }

  byExternalId(team: Team, externalId: string): HeldView | undefined {
    return this.all().find((held) => held.current.team === team && held.current.external_id === externalId)
  }

  home(team: Team, user: string): HeldView | undefined {
    return this.all().find(
      ({ current }) => current.type === 'home' && current.team === team && current.user === user,
    )
  }

  /** Modals stacked over the same first one. */
  stack(rootId: string): readonly HeldView[] {
    return this.all().filter((held) => held.current.rootId === rootId)
  }

  close(id: string): void {
    this.#open.delete(id)
  }

  closeAll(rootId: string): void {
    for (const { current } of this.stack(rootId)) this.#open.delete(current.id)
  }

  all(): readonly HeldView[] {
    return [...this.#open.values()]
  }
}
