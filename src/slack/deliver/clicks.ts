import { z } from 'zod'
import { scopedKey, type Tenant, type TenantKey } from '../../store/tenant.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import { type EpochMs, hourMs, type Milliseconds, minuteMs } from '../../util/units.ts'

/** Stored in a modal's metadata, so that its result is shown on the message from which it was opened. */
export const clickPlace = z.object({
  responseUrl: z.string().optional(),
  message: z.string(),
  /** Slack's `action_ts`: seconds with six decimals. */
  actionTs: z.string(),
  viewId: z.string().optional(),
})

/** Place of a click's answer: the message that was clicked, or from which a modal was opened. */
export type ClickPlace = Readonly<z.infer<typeof clickPlace>>

export interface Click extends ClickPlace {
  readonly team: Tenant
  readonly tenant: TenantKey
  readonly channel: string
  readonly user: string
}

/** A minute less than Slack accepts answers, since the answer itself takes time. */
const ANSWERABLE_MS: Milliseconds = 29 * minuteMs

/** Returns microseconds, which a double holds exactly. */
function toMicroseconds(actionTs: string): number {
  const [seconds = '', fraction = ''] = actionTs.split('.')
  return Number(`${seconds}${fraction.padEnd(6, '0').slice(0, 6)}`) || 0
}

const toMessageKey = ({ tenant, channel, message, user }: Click) => scopedKey(tenant, channel, message, user)

/**
 * Keeps the answer of the latest click on a message, regardless of the order in which answers are ready. Works within one
 * process: after two clicks within a second that reach two processes, either answer may stay.
 */
export class Clicks {
  readonly #now: () => EpochMs
  /** Time of the latest click, by message. */
  readonly #latest: Cache<number>
  /** Settles once the last answer was sent, by message. */
  readonly #lines = new Map<string, Promise<void>>()

  constructor(now: () => EpochMs) {
    this.#now = now
    this.#latest = createCache({ max: 20_000, ttlMs: hourMs, now })
  }

  isAnswerable({ responseUrl, actionTs }: ClickPlace): boolean {
    return responseUrl !== undefined && this.#now() - toMicroseconds(actionTs) / 1000 < ANSWERABLE_MS
  }

  /** Returns false if a later click on the same message was marked before. */
  markNewest(click: Click): boolean {
    const [key, at] = [toMessageKey(click), toMicroseconds(click.actionTs)]
    if (at < (this.#latest.get(key) ?? 0)) return false
    this.#latest.set(key, at)
    return true
  }

  /** Delivers after the message's earlier answers, if the click is still its latest. Returns whether it was. */
  async inOrder(click: Click, deliver: () => Promise<void>): Promise<boolean> {
    const key = toMessageKey(click)
    const before = this.#lines.get(key)
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    this.#lines.set(key, left)
    try {
      await before
      const isNewest = this.markNewest(click)
      if (isNewest) await deliver()
      return isNewest
    } finally {
      leave()
      if (this.#lines.get(key) === left) this.#lines.delete(key)
    }
  }
}
