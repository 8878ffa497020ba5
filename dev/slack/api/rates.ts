import { type EpochMs, type Milliseconds, minuteMs } from '../../../src/util/units.ts'

/** Calls a minute: the least that each tier promises. Slack takes them at once as well; of the first it says "a small burst". */
const TIERS = { 1: 5, 3: 50, 4: 100 } as const

/** The page of each method says its tier: https://docs.slack.dev/reference/methods. Those of a tier of their own are left out. */
const tiers: ReadonlyMap<string, keyof typeof TIERS> = new Map([
  ['apps.connections.open', 1],
  ['apps.uninstall', 1],
  ['chat.update', 3],
  ['conversations.info', 3],
  ['conversations.join', 3],
  ['conversations.members', 4],
  ['files.completeUploadExternal', 4],
  ['files.getUploadURLExternal', 4],
  ['users.conversations', 3],
  ['users.info', 4],
  ['views.open', 4],
  ['views.publish', 4],
  ['views.update', 4],
])

/** One a second and channel, in bursts too. */
const POSTS = 60

/**
 * Limits calls per minute, by method and workspace.
 * https://docs.slack.dev/apis/web-api/rate-limits
 */
export class Rates {
  /** When they came, the oldest first. */
  readonly #calls = new Map<string, EpochMs[]>()
  readonly #now: () => EpochMs

  constructor(now: () => EpochMs) {
    this.#now = now
  }

  /** @param of whose calls are counted together @returns how long to wait, in seconds, where it is one too many */
  retryAfter(method: string, of: string, channel: unknown): number | undefined {
    const isPost = method === 'chat.postMessage'
    const tier = tiers.get(method)
    const most = isPost ? POSTS : tier && TIERS[tier]
    if (most === undefined) return undefined
    const key = `${method} ${of} ${isPost ? String(channel) : ''}`
    const now = this.#now()
    const isLately = (at: EpochMs) => at <= now && now - at < minuteMs
    const calls = (this.#calls.get(key) ?? []).filter(isLately)
    this.#calls.set(key, calls)
    const [oldest] = calls
    if (oldest !== undefined && calls.length >= most) return inSeconds(oldest + minuteMs - now)
    calls.push(now)
    return undefined
  }
}

const inSeconds = (ms: Milliseconds) => Math.max(1, Math.ceil(ms / 1000))
