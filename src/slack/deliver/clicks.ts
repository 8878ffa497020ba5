import { scopedKey, tenantKey } from '../../store/tenant.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import { type EpochMs, hourMs, type Milliseconds, minuteMs, type Seconds } from '../../util/units.ts'
import type { ReplyTarget } from '../blocks/modal.ts'
import type { Click, Origin } from '../inbound/payloads.ts'

/** A `response_url` works for 30 minutes, and the answer itself takes time. */
const ANSWERABLE_MS: Milliseconds = 29 * minuteMs

/** Returns seconds since 1970 with microseconds, which a double holds; 0 for anything but a number. */
const toSeconds = (actionTs: string): Seconds => Number(actionTs) || 0

type Sender = Pick<Origin, 'workspace' | 'userId'>

/** A click on a message or a modal, by who clicked where and when. */
export type ClickSource = Sender & Pick<ReplyTarget, 'channel' | 'message' | 'actionTs'>

export function toMessageClick({ workspace, userId }: Sender, replyTo: ReplyTarget): ClickSource {
  const { channel, message, actionTs } = replyTo
  return { workspace, userId, channel, message, actionTs }
}

/** A modal's id stands for the message; a modal has no channel. */
export function toModalClick({ origin, replyTo }: Click): ClickSource {
  const { workspace, userId, modalId = '' } = origin
  return { workspace, userId, channel: '', message: modalId, actionTs: replyTo.actionTs }
}

const toMessageKey = ({ workspace, channel, message, userId }: ClickSource) =>
  scopedKey(tenantKey(workspace), channel, message, userId)

/** Lets a person's latest click on a message win, within one process. */
export class Clicks {
  readonly #now: () => EpochMs
  /** Times of the latest clicks, by message and person. */
  readonly #latest: Cache<Seconds>
  readonly #delivered: Cache<true>
  /** Settles once the last answer was sent, by message and person. */
  readonly #turns = new Map<string, Promise<void>>()

  constructor(now: () => EpochMs) {
    this.#now = now
    this.#latest = createCache({ max: 20_000, ttlMs: hourMs, now })
    this.#delivered = createCache({ max: 20_000, ttlMs: hourMs, now })
  }

  /** Returns false if the same click arrived before: Slack sometimes delivers one twice. */
  markDelivered(click: ClickSource): boolean {
    // A click without a time can't be recognized when it arrives again.
    if (click.actionTs === '') return true
    const key = `${toMessageKey(click)} ${click.actionTs}`
    const isFirst = this.#delivered.get(key) === undefined
    this.#delivered.set(key, true)
    return isFirst
  }

  /** Returns false if a later click on the same message was marked before; true again for the same click. */
  markIfNewest(click: ClickSource): boolean {
    const key = toMessageKey(click)
    const clickedAt = toSeconds(click.actionTs)
    if (clickedAt < (this.#latest.get(key) ?? 0)) return false
    this.#latest.set(key, clickedAt)
    return true
  }

  /**
   * Makes the submission of a form the newest click on the message that opened it. Returns the target with its time, or
   * undefined if the message can't be answered any more.
   */
  renew(sender: Sender, target: ReplyTarget): ReplyTarget | undefined {
    if (target.responseUrl === undefined) return undefined
    const openedAt = toSeconds(target.actionTs)
    if (this.#now() - openedAt * 1000 >= ANSWERABLE_MS) return undefined
    const click = toMessageClick(sender, target)
    const latest = this.#latest.get(toMessageKey(click)) ?? openedAt
    // The next microsecond: times of clicks are no finer.
    const actionTs = (latest + 1e-6).toFixed(6)
    this.markIfNewest({ ...click, actionTs })
    return { ...target, actionTs }
  }

  /** Does the work once the message's earlier answers are sent. Returns undefined instead if a later click was marked. */
  async runInTurn<T>(click: ClickSource, work: () => Promise<T>): Promise<T | undefined> {
    const key = toMessageKey(click)
    const previousTurn = this.#turns.get(key)
    const { promise: turn, resolve: endTurn } = Promise.withResolvers<void>()
    this.#turns.set(key, turn)
    await previousTurn
    try {
      if (!this.markIfNewest(click)) return undefined
      return await work()
    } finally {
      endTurn()
      if (this.#turns.get(key) === turn) this.#turns.delete(key)
    }
  }
}
