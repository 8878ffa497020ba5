import type { Ids } from './ids.ts'
import type { MessageBody } from './shapes.ts'
import type { Message } from './surfaces.ts'

/** The messages that are there now. */
export class Messages {
  readonly #current = new Map<string, Message>()
  readonly #ids: Ids

  constructor(ids: Ids) {
    this.#ids = ids
  }

  post(body: MessageBody, where: Pick<Message, 'channel' | 'team' | 'via' | 'onlyFor' | 'files'>): Message {
    return this.#keep({
      ts: this.#ids.nextTs(),
      ...where,
      text: body.text ?? '',
      blocks: this.#ids.fillIn(body.blocks ?? []),
      ...(body.thread_ts === undefined ? {} : { threadTs: body.thread_ts }),
    })
  }

  /** Who sees it does not change: a response_url cannot turn an ephemeral message into a public one. */
  replace(original: Message, body: MessageBody, via: Message['via']): Message {
    const isUnchanged = body.blocks === undefined && body.text === undefined
    const blocks = isUnchanged ? original.blocks : this.#ids.fillIn(body.blocks ?? [])
    return this.#keep({ ...original, via, text: body.text ?? original.text, blocks })
  }

  delete(ts: string): void {
    this.#current.delete(ts)
  }

  deleteEphemeral(user: string): void {
    for (const { ts, onlyFor } of this.all()) if (onlyFor === user) this.delete(ts)
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
