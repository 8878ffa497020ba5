import { scopedKey, tenantKey } from '../../store/tenant.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import { type EpochMs, hourMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import type { ReplyTarget } from '../blocks/view-metadata.ts'
import type { Click, Origin } from '../inbound/payloads.ts'

/** A `response_url` works for 30 minutes, and the answer itself takes time. */
const ANSWERABLE_MS: Milliseconds = 29 * minuteMs

/** A double holds microseconds exactly. */
const toMicroseconds = (actionTs: string): number => Math.round(Number(actionTs) * 1e6) || 0

/** A click on a message or a modal, by who clicked where and when. */
export type ClickSource = Pick<Origin, 'workspace' | 'userId'> &
  Pick<ReplyTarget, 'channel' | 'message' | 'actionTs'>

/** A modal's id stands for the message; a modal has no channel. */
export function toModalClick({ origin, replyTo }: Click): ClickSource {
  const { workspace, userId, modalId: message = '' } = origin
  return { workspace, userId, channel: '', message, actionTs: replyTo.actionTs }
}

const toMessageKey = ({ workspace, channel, message, userId }: ClickSource) =>
  scopedKey(tenantKey(workspace), channel, message, userId)

/** Lets a person's latest click on a message win, within one process. */
export class Clicks {
  readonly #now: () => EpochMs
  readonly #latest: Cache<number>
  readonly #delivered: Cache<true>
  /** Settles once the last answer was sent, by message. */
  readonly #turns = new Map<string, Promise<void>>()

  constructor(now: () => EpochMs) {
    this.#now = now
    this.#latest = createCache({ max: 20_000, ttlMs: hourMs, now })
    this.#delivered = createCache({ max: 20_000, ttlMs: hourMs, now })
  }

  /** Returns false if the same click arrived before: Slack sometimes delivers one twice. */
  isFirstDelivery(click: ClickSource): boolean {
    if (click.actionTs === '') return true
    const key = `${toMessageKey(click)} ${click.actionTs}`
    const isFirst = this.#delivered.get(key) === undefined
    this.#delivered.set(key, true)
    return isFirst
  }

  /** Returns false if a later click on the same message was marked before. */
  markNewest(click: ClickSource): boolean {
    const key = toMessageKey(click)
    const clickedAt = toMicroseconds(click.actionTs)
    if (clickedAt < (this.#latest.get(key) ?? 0)) return false
    this.#latest.set(key, clickedAt)
    return true
  }

  /**
   * Returns the target with a time after every click so far: the form counts from when it was submitted. Returns undefined if
   * its message can't be answered any more.
   */
  renew(
    { workspace, userId }: Pick<Origin, 'workspace' | 'userId'>,
    target: ReplyTarget,
  ): ReplyTarget | undefined {
    const clickedAt = toMicroseconds(target.actionTs)
    const isAnswerable = target.responseUrl !== undefined && this.#now() - clickedAt / 1000 < ANSWERABLE_MS
    if (!isAnswerable) return undefined
    const source = { workspace, userId, ...target }
    const latest = this.#latest.get(toMessageKey(source)) ?? clickedAt
    const renewed = { ...target, actionTs: ((latest + 1) / 1e6).toFixed(6) }
    this.markNewest({ ...source, ...renewed })
    return renewed
  }

  /** Waits until the message's earlier answers are sent. Returns false, without the work, if a later click was marked. */
  async inTurn(click: ClickSource, work: () => Promise<void>): Promise<boolean> {
    const key = toMessageKey(click)
    const before = this.#turns.get(key)
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#turns.set(key, ended)
    await before
    try {
      const isNewest = this.markNewest(click)
      if (isNewest) await work()
      return isNewest
    } finally {
      end()
      if (this.#turns.get(key) === ended) this.#turns.delete(key)
    }
  }
}
