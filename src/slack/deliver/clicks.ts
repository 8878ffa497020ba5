import { z } from 'zod'
import { scopedKey, type Tenant, type TenantKey } from '../../store/tenant.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'

/** Where a click's answer goes: the message that was clicked, or that a modal was opened from. */
export interface ClickPlace {
  readonly responseUrl?: string | undefined
  readonly message: string
  /** Slack's `action_ts`, seconds with six decimals. */
  readonly actionTs: string
  readonly viewId?: string | undefined
}

/** The `ClickPlace` of the message that a modal was opened from, in the modal's metadata: what it comes to is shown there. */
export const clickPlace = z.object({
  responseUrl: z.string().optional(),
  message: z.string(),
  actionTs: z.string(),
})

export interface Click extends ClickPlace {
  readonly team: Tenant
  readonly tenant: TenantKey
  readonly channel: string
  readonly user: string
}

const keptForMs: Milliseconds = 60 * 60_000
/** A minute less than Slack takes answers for: the answer itself takes its time. */
const answerableForMs: Milliseconds = 29 * 60_000

/** Microseconds, exact in a double. */
function toMicroseconds(actionTs: string): number {
  const [seconds = '', fraction = ''] = actionTs.split('.')
  return Number(`${seconds}${fraction.padEnd(6, '0').slice(0, 6)}`) || 0
}

const keyOf = ({ tenant, channel, message, user }: Click) => scopedKey(tenant, channel, message, user)

/**
 * Of several clicks on one message the latest one's page is what stays, in whatever order their answers are ready: a click
 * is answered only while none that came later was marked, and the answers of one message leave one after the other. Only
 * this process knows of them: of two clicks within a second that reach two processes, either page may stay.
 */
export class Clicks {
  readonly #now: () => EpochMs
  /** By message: the latest click's time. */
  readonly #latest: BoundedMap<number>
  /** By message: settled once the last answer has left. */
  readonly #lines = new Map<string, Promise<void>>()

  constructor(now: () => EpochMs) {
    this.#now = now
    this.#latest = new BoundedMap({ max: 20_000, ttlMs: keptForMs, now })
  }

  isAnswerable({ responseUrl, actionTs }: ClickPlace): boolean {
    return responseUrl !== undefined && this.#now() - toMicroseconds(actionTs) / 1000 < answerableForMs
  }

  /**
   * Marks the click as its message's newest one, unless a later one was.
   * @returns whether it is; one that Slack sends again is as late as it was
   */
  markNewest(click: Click): boolean {
    const [key, at] = [keyOf(click), toMicroseconds(click.actionTs)]
    if (at < (this.#latest.get(key) ?? 0)) return false
    this.#latest.set(key, at)
    return true
  }

  /**
   * Delivers after the answers that the message is still waiting for, if the click is the newest one then.
   * @returns whether it was
   */
  async inOrder(click: Click, deliver: () => Promise<void>): Promise<boolean> {
    const key = keyOf(click)
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
