import type { EpochMs } from '../../../src/util/units.ts'
import type { Team } from '../directory.ts'
import type { Exchange } from './exchange.ts'

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
