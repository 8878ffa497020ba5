import { type EpochMs, type Milliseconds, minuteMs } from '../../../src/util/units.ts'

/** Minimum calls per minute of each tier, which may come in one burst. For tier 1, Slack allows "a small burst". */
const TIERS = { 1: 5, 3: 50, 4: 100 } as const

/** Tiers from each method's page (https://docs.slack.dev/reference/methods). Methods with special limits aren't listed. */
const tiers: ReadonlyMap<string, keyof typeof TIERS> = new Map([
  ['apps.connections.open', 1],
  ['apps.uninstall', 1],
  ['chat.update', 3],
  ['conversations.info', 3],
  ['conversations.join', 3],
  ['files.completeUploadExternal', 4],
  ['files.getUploadURLExternal', 4],
  ['users.conversations', 3],
  ['users.info', 4],
  ['views.open', 4],
  ['views.publish', 4],
  ['views.update', 4],
])

/** Per minute and channel, also in one burst: Slack allows one post per second. */
const POSTS = 60

/**
 * Limits calls per minute, by method and workspace.
 * https://docs.slack.dev/apis/web-api/rate-limits
 */
export class Rates {
  /** Timestamps of recent calls by method and workspace, oldest first. */
  readonly #calls = new Map<string, EpochMs[]>()
  readonly #now: () => EpochMs

  constructor(now: () => EpochMs) {
    this.#now = now
  }

  /** @param of key of the calls that are counted together @returns seconds to wait if the limit is exceeded */
  retryAfter(method: string, of: string, channel: unknown): number | undefined {
    const isPost = method === 'chat.postMessage'
    const tier = tiers.get(method)
    const limit = isPost ? POSTS : tier && TIERS[tier]
    if (limit === undefined) return undefined
    const key = `${method} ${of} ${isPost ? String(channel) : ''}`
    const now = this.#now()
    const isLately = (at: EpochMs) => at <= now && now - at < minuteMs
    const calls = (this.#calls.get(key) ?? []).filter(isLately)
    this.#calls.set(key, calls)
    const [oldest] = calls
    if (oldest !== undefined && calls.length >= limit) return inSeconds(oldest + minuteMs - now)
    calls.push(now)
    return undefined
  }
}

const inSeconds = (ms: Milliseconds) => Math.max(1, Math.ceil(ms / 1000))
