import type { EpochMs, Milliseconds } from '../../../src/util/units.ts'
import type { Team } from '../directory.ts'
import type { Exchange } from './exchange.ts'

/** https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses */
const LEAST_LIFE_MS: Milliseconds = 3000

interface Trigger {
  readonly at: EpochMs
  readonly team: Team
  readonly user: string
  isUsed: boolean
  exchange: Exchange | undefined
}

/** Each trigger_id works once, within 3 s. */
export class Triggers {
  readonly #issued = new Map<string, Trigger>()
  readonly #now: () => EpochMs
  readonly #lifeMs: Milliseconds

  constructor(now: () => EpochMs, lifeMs: Milliseconds) {
    this.#now = now
    this.#lifeMs = Math.max(lifeMs, LEAST_LIFE_MS)
  }

  issue(team: Team, user: string): { id: string; trigger: Trigger } {
    const id = `${1000 + this.#issued.size}.${team.teamId}.${crypto.randomUUID().replaceAll('-', '')}`
    const trigger: Trigger = { at: this.#now(), team, user, isUsed: false, exchange: undefined }
    this.#issued.set(id, trigger)
    return { id, trigger }
  }

  /** Returns an unused trigger, or Slack's error (https://docs.slack.dev/reference/methods/views.open). */
  check(id: string, team: Team): Trigger | string {
    const trigger = this.#issued.get(id)
    if (trigger === undefined || trigger.team !== team) return 'invalid_trigger_id'
    if (trigger.isUsed) return 'exchanged_trigger_id'
    return this.#now() - trigger.at > this.#lifeMs ? 'expired_trigger_id' : trigger
  }
}
