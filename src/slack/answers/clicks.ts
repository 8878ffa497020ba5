import type { Log } from '../../log.ts'
import type { HighWaterMarks } from '../../store/claims.ts'
import { scopedKey, type Tenant, type TenantKey } from '../../store/tenant.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { timedOut, withTimeout } from '../../util/with-timeout.ts'

/** Where a click's answer goes: the message that was clicked, or that a modal was opened from. */
export interface ClickPlace {
  readonly responseUrl?: string | undefined
  readonly message: string
  /** Slack's `action_ts`, seconds with six decimals. */
  readonly actionTs: string
  /** Of the modal or home tab that was clicked in. */
  readonly viewId?: string | undefined
}

export interface Click extends ClickPlace {
  readonly team: Tenant
  readonly tenant: TenantKey
  readonly channel: string
  readonly user: string
}

const scope = 'click'
const keptForMs: Milliseconds = 60 * 60_000
/** Whoever clicked waits. */
const notedWithin: Milliseconds = 1000

/** Microseconds, exact in a double. */
function toMicroseconds(actionTs: string): number {
  const [seconds = '', fraction = ''] = actionTs.split('.')
  return Number(`${seconds}${fraction.padEnd(6, '0').slice(0, 6)}`) || 0
}

/** A `response_url` takes answers for 30 minutes from its click; the answer itself takes its time. */
const answerableForMs: Milliseconds = 29 * 60_000

/** Whether an answer to that click would still be shown. */
export const isAnswerable = (actionTs: string, now: EpochMs): boolean =>
  now - toMicroseconds(actionTs) / 1000 < answerableForMs

/** Later than that click, and earlier than any other: for what a modal that the click opened sends. */
export function justAfter(actionTs: string): string {
  const next = toMicroseconds(actionTs) + 1
  return `${Math.floor(next / 1_000_000)}.${String(next % 1_000_000).padStart(6, '0')}`
}

const keyOf = ({ tenant, channel, message, user }: Click) => scopedKey(tenant, channel, message, user)

/**
 * Of several clicks on one message the latest one's page is what stays, in whatever order their answers are ready: a click
 * is answered only while none that came later was noted, and the answers of one message leave one after the other. Where
 * the store can't tell, or not soon, a click is answered.
 */
export class Clicks {
  readonly #marks: HighWaterMarks
  readonly #log: Pick<Log, 'warn'>
  /** By message: settled once the last answer has left. */
  readonly #lines = new Map<string, Promise<void>>()

  constructor(marks: HighWaterMarks, log: Pick<Log, 'warn'>) {
    this.#marks = marks
    this.#log = log
  }

  /** Notes the click. @returns whether no later one was noted; one that Slack sends again is as late as it was */
  isNewest(click: Click): Promise<boolean> {
    const [key, value] = [keyOf(click), toMicroseconds(click.actionTs)]
    return this.#orNewest(async () => {
      const isAdvanced = await this.#marks.advance(scope, key, value, keptForMs)
      return isAdvanced || this.#marks.isLatest(scope, key, value)
    })
  }

  /** Delivers after the answers that the message is still waiting for, if the click is the newest one then. */
  async inOrder(click: Click, deliver: () => Promise<void>): Promise<void> {
    const [key, value] = [keyOf(click), toMicroseconds(click.actionTs)]
    const before = this.#lines.get(key) ?? Promise.resolve()
    const delivery = before.then(async () => {
      if (await this.#orNewest(() => this.#marks.isLatest(scope, key, value))) await deliver()
    })
    const settled = delivery.catch(() => {})
    this.#lines.set(key, settled)
    try {
      await delivery
    } finally {
      if (this.#lines.get(key) === settled) this.#lines.delete(key)
    }
  }

  async #orNewest(isNewest: () => Promise<boolean>): Promise<boolean> {
    const answer = isNewest().catch((error: unknown) => {
      this.#log.warn({ err: error }, 'a click could not be noted')
      return true
    })
    const inTime = await withTimeout(answer, notedWithin)
    if (inTime !== timedOut) return inTime
    this.#log.warn('a click is answered before it could be noted')
    return true
  }
}
