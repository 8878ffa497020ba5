import type { HighWaterMarks } from '../../store/claims.ts'
import { scopedKey, type TenantKey } from '../../store/tenant.ts'

export interface Click {
  readonly tenant: TenantKey
  readonly channel: string
  readonly message: string
  readonly user: string
  /** Slack's `action_ts`, seconds with six decimals. */
  readonly actionTs: string
}

/**
 * Of several clicks on one message the latest one's page is what stays, in whatever order their answers are ready: a click
 * answers only while none that came later was seen, and the answers of one message leave one after the other.
 */
export interface LatestClick {
  answer(click: Click, produce: () => Promise<void | (() => Promise<void>)>): Promise<void>
}

const keptMs = 60 * 60_000

/** Microseconds, exact in a double. */
function toNumber(actionTs: string): number {
  const [seconds = '', fraction = ''] = actionTs.split('.')
  return Number(`${seconds}${fraction.padEnd(6, '0').slice(0, 6)}`) || 0
}

/** Later than that click, and earlier than any other: for what a modal that the click opened sends. */
export function justAfter(actionTs: string): string {
  const next = toNumber(actionTs) + 1
  return `${Math.floor(next / 1_000_000)}.${String(next % 1_000_000).padStart(6, '0')}`
}

export function createLatestClick(latest: HighWaterMarks): LatestClick {
  const lines = new Map<string, Promise<void>>()

  return {
    async answer(click, produce) {
      const key = scopedKey(click.tenant, click.channel, click.message, click.user)
      const value = toNumber(click.actionTs)
      const isNews = await latest.advance('click', key, value, keptMs)
      // A click that Slack sent again is as late as it was.
      if (!isNews && !(await latest.isLatest('click', key, value))) return
      const post = await produce()
      if (!post) return
      const before = lines.get(key) ?? Promise.resolve()
      const mine = before.then(async () => {
        if (await latest.isLatest('click', key, value)) await post()
      })
      const settled = mine.catch(() => {})
      lines.set(key, settled)
      try {
        await mine
      } finally {
        if (lines.get(key) === settled) lines.delete(key)
      }
    },
  }
}
