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

/** https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
const LIFE_MS = 30 * 60 * 1000
const USES = 5

export interface ResponseUrl {
  readonly kind: 'commands' | 'actions'
  readonly at: EpochMs
  readonly team: Team
  readonly channel: string
  readonly user: string
  /** `ts` of the clicked message; undefined for a command, which has no message to replace. */
  readonly original: string | undefined
  uses: number
  exchange: Exchange | undefined
}

/** Each response_url works five times within 30 minutes; refused and failed posts count. */
export class ResponseUrls {
  readonly #issued = new Map<string, ResponseUrl>()
  readonly #now: () => EpochMs

  constructor(now: () => EpochMs) {
    this.#now = now
  }

  /** Path of the URL, below the stand-in's address. */
  issue(fields: Omit<ResponseUrl, 'at' | 'uses' | 'exchange'>): { path: string; url: ResponseUrl } {
    const path = `/${fields.kind}/${fields.team.teamId}/${1000 + this.#issued.size}/${crypto.randomUUID()}`
    const url: ResponseUrl = { ...fields, at: this.#now(), uses: 0, exchange: undefined }
    this.#issued.set(path, url)
    return { path, url }
  }

  get(path: string): ResponseUrl | undefined {
    return this.#issued.get(path)
  }

  /** @returns the error if the URL is used up or expired */
  use(path: string): string | undefined {
    const url = this.get(path)
    if (url === undefined) return undefined
    if (this.#now() - url.at > LIFE_MS) return 'expired_url'
    if (url.uses >= USES) return 'used_url'
    url.uses += 1
    return undefined
  }
}
