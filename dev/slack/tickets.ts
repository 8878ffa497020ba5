import type { Team } from './directory.ts'
import type { Interaction } from './interaction.ts'

/** https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses */
const TRIGGER_LIFE_MS = 3000
/** https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
const RESPONSE_URL_LIFE_MS = 30 * 60 * 1000
const RESPONSE_URL_USES = 5

export interface Trigger {
  readonly at: number
  readonly team: Team
  readonly user: string
  /** The view it was made in, for views.push. */
  readonly viewId: string | undefined
  used: boolean
  interaction: Interaction | undefined
}

/** trigger_ids: each lives 3 s and works once. */
export class Triggers {
  readonly #issued = new Map<string, Trigger>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  issue(team: Team, user: string, viewId?: string): { id: string; trigger: Trigger } {
    const id = `${1000 + this.#issued.size}.${team.teamId}.${crypto.randomUUID().replaceAll('-', '')}`
    const trigger: Trigger = { at: this.#now(), team, user, viewId, used: false, interaction: undefined }
    this.#issued.set(id, trigger)
    return { id, trigger }
  }

  /** The trigger, not used up yet, or Slack's error (https://docs.slack.dev/reference/methods/views.open). */
  check(id: string, team: Team): Trigger | string {
    const trigger = this.#issued.get(id)
    if (trigger === undefined || trigger.team !== team) return 'invalid_trigger_id'
    if (trigger.used) return 'exchanged_trigger_id'
    return this.#now() - trigger.at > TRIGGER_LIFE_MS ? 'expired_trigger_id' : trigger
  }
}

export interface ResponseUrl {
  readonly kind: 'commands' | 'actions'
  readonly at: number
  readonly team: Team
  readonly channel: string
  readonly user: string
  /** `ts` of the message that was clicked on; a command has none, so there is nothing that it could replace. */
  readonly original: string | undefined
  uses: number
  interaction: Interaction | undefined
}

/** response_urls: five uses in 30 minutes, refused posts included. */
export class ResponseUrls {
  readonly #issued = new Map<string, ResponseUrl>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** The path of the URL under the stand-in's address. */
  issue(fields: Omit<ResponseUrl, 'at' | 'uses' | 'interaction'>): { path: string; url: ResponseUrl } {
    const path = `/${fields.kind}/${fields.team.teamId}/${1000 + this.#issued.size}/${crypto.randomUUID()}`
    const url: ResponseUrl = { ...fields, at: this.#now(), uses: 0, interaction: undefined }
    this.#issued.set(path, url)
    return { path, url }
  }

  get(path: string): ResponseUrl | undefined {
    return this.#issued.get(path)
  }

  /** Takes one use, or says why there is none. */
  use(url: ResponseUrl): string | undefined {
    if (this.#now() - url.at > RESPONSE_URL_LIFE_MS) return 'expired_url'
    if (url.uses >= RESPONSE_URL_USES) return 'used_url'
    url.uses += 1
    return undefined
  }
}
