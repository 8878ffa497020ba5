import type { EpochMs, Milliseconds } from '../../../../src/util/units.ts'
import { quantile } from '../../figures.ts'
import { mark } from '../../workspaces.ts'
import type { Channels } from './channels.ts'

/** As many stand in a message; of the others, it tells how many there are. */
const MOST_ROWS = 20
const seconds = (ms: Milliseconds) => `${(ms / 1000).toFixed(1)} s`

interface Missed {
  readonly team: number
  readonly at: EpochMs
  /** When the service began to show it; none while it shows nothing. */
  shownAt: EpochMs | undefined
}

/** Every call that was missed, by its id, and whether it was told. */
export class MissedCalls {
  readonly #calls = new Map<string, Missed>()
  #isShowing = true

  /** @returns the ids of new ones */
  miss(team: number, count: number): readonly string[] {
    const at = Date.now()
    const shownAt = this.#isShowing ? at : undefined
    return Array.from({ length: count }, () => {
      const id = `${mark(team)}-c${this.#calls.size}`
      this.#calls.set(id, { team, at, shownAt })
      return id
    })
  }

  /** From now on the service shows what was missed, or it does not. */
  show(isShowing: boolean): void {
    this.#isShowing = isShowing
    if (!isShowing) return
    for (const call of this.#calls.values()) call.shownAt ??= Date.now()
  }

  /** How many the messages of each workspace lack: below zero, so many are too much. */
  #missing({ messages }: Channels): ReadonlyMap<number, number> {
    const missing = new Map<number, number>()
    const add = (team: number, count: number) => missing.set(team, (missing.get(team) ?? 0) + count)
    for (const { team } of this.#calls.values()) add(team, 1)
    for (const { team, count } of messages.values()) add(team, -count)
    return missing
  }

  isAllTold(channels: Channels): boolean {
    return [...this.#missing(channels).values()].every((count) => count <= 0)
  }

  report(channels: Channels): readonly string[] {
    const { messages, told, notices, posts, updates } = channels
    const unsure = notices.filter(({ text }) => text.includes("didn't confirm"))
    const missing = this.#missing(channels)
    const isUnsure = (team: number) => unsure.some((notice) => notice.team === team)
    const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)
    const lacking = [...missing].filter(([, count]) => count > 0)
    const lost = sum(lacking.filter(([team]) => !isUnsure(team)).map(([, count]) => count))
    const askedToLook = sum(lacking.filter(([team]) => isUnsure(team)).map(([, count]) => count))
    const inTwo = [...told.values()].filter((one) => one.messages.size > 1).length
    const tooMany = sum([...missing.values()].map((count) => Math.max(0, -count)))
    const lags = { atOnce: [] as number[], later: [] as number[] }
    for (const [id, { at }] of told) {
      const call = this.#calls.get(id)
      if (call?.shownAt === undefined) continue
      lags[call.shownAt === call.at ? 'atOnce' : 'later'].push(Math.max(0, at - call.shownAt))
    }
    const lagOf = (all: readonly number[]) =>
      `p50 ${seconds(quantile(all, 0.5))}, p99 ${seconds(quantile(all, 0.99))}, at most ${seconds(quantile(all, 1))}`
    const counts = [...messages.values()].map(({ count }) => count)
    return [
      `calls missed              ${this.#calls.size}`,
      `told once                 ${this.#calls.size - lost - askedToLook - Math.max(inTwo, tooMany)}`,
      `lost                      ${lost}`,
      `told twice                ${Math.max(inTwo, tooMany)}`,
      `owners told to look       ${unsure.length} (a process was killed as it sent a message; of their calls ${askedToLook} were in none)`,
      `told of none that was     ${[...told.keys()].filter((id) => !this.#calls.has(id)).length}`,
      `messages                  ${messages.size}, of ${Math.max(0, ...counts)} calls at most, ${counts.filter((count) => count > MOST_ROWS).length} of more than ${MOST_ROWS}; ${[...messages.values()].filter(({ isLate }) => isLate).length} late`,
      `lag, shown to told        ${lagOf([...lags.atOnce, ...lags.later])}`,
      ...(lags.later.length === 0
        ? []
        : [
            `  of those shown at once  ${lagOf(lags.atOnce)}`,
            `  of those shown later    ${lagOf(lags.later)} (the service was away when they were missed: from when it was back)`,
          ]),
      `Slack                     ${posts} posts, ${updates} updates, ${notices.length - unsure.length} other notices`,
    ]
  }
}
