import {
  type WebAPICallResult,
  WebAPIRateLimitedError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api'
import { BoundedMap } from '../../util/bounded-map.ts'
import { type EpochMs, type Milliseconds, minuteMs } from '../../util/units.ts'

/** What may be spent on what can wait of Tier 3's fifty calls a minute: the others are for alerts and answers. */
const spareUpdates = 25
const mostKeys = 20_000

type Arguments = Readonly<Record<string, unknown>>

/** A limit holds for a method in a workspace, which its token stands for; of posts it holds for a channel. */
const keyOf = (method: string, { token, channel }: Arguments): string =>
  `${method} ${token} ${method === 'chat.postMessage' ? channel : ''}`

/** What this process knows of Slack's limits. https://docs.slack.dev/apis/web-api/rate-limits */
export class CallBudgets {
  readonly #now: () => EpochMs
  /** Where Slack wants nothing called for a while. */
  readonly #rests = new BoundedMap<{ readonly since: EpochMs; readonly forMs: Milliseconds }>({
    max: mostKeys,
  })
  /** Of those that have a spare part: how many there were since the first one of a minute. */
  readonly #calls: BoundedMap<{ count: number }>

  constructor(now: () => EpochMs) {
    this.#now = now
    this.#calls = new BoundedMap({ max: mostKeys, ttlMs: minuteMs, now })
  }

  /** Whether a message may be changed that could as well be changed later. */
  hasSpareUpdates(token: string): boolean {
    return (this.#calls.get(keyOf('chat.update', { token }))?.count ?? 0) < spareUpdates
  }

  /** @throws {WebAPIRateLimitedError} where it is too early */
  spend(method: string, options: Arguments): void {
    const key = keyOf(method, options)
    const { since, forMs } = this.#rests.get(key) ?? { since: 0, forMs: 0 }
    const restedMs = this.#now() - since
    // The clock may have been set back since.
    if (restedMs >= 0 && restedMs < forMs)
      throw new WebAPIRateLimitedError(Math.ceil((forMs - restedMs) / 1000))
    if (method !== 'chat.update') return
    const calls = this.#calls.get(key) ?? { count: 0 }
    if (calls.count === 0) this.#calls.set(key, calls)
    calls.count += 1
  }

  /** Of what a call was answered with. */
  learn(method: string, options: Arguments, error: unknown): void {
    if (error instanceof WebAPIRateLimitedError)
      this.#rests.set(keyOf(method, options), { since: this.#now(), forMs: error.retryAfter * 1000 })
  }
}

/** Slack's client. It calls nothing that Slack wants called later. */
export class WebApi extends WebClient {
  readonly #budgets: CallBudgets

  constructor(options: WebClientOptions, budgets: CallBudgets) {
    super(undefined, options)
    this.#budgets = budgets
  }

  hasSpareUpdates(token: string): boolean {
    return this.#budgets.hasSpareUpdates(token)
  }

  override async apiCall(method: string, options: Arguments = {}): Promise<WebAPICallResult> {
    this.#budgets.spend(method, options)
    try {
      return await super.apiCall(method, options)
    } catch (error) {
      this.#budgets.learn(method, options, error)
      throw error
    }
  }
}
