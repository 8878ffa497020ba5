import { setTimeout as sleep } from 'node:timers/promises'
import type { EpochMs, Milliseconds } from '../../../src/util/units.ts'
import { quantile } from '../figures.ts'
import type { Inbox } from '../slack-stub.ts'
import { mark, teamOf } from '../workspaces.ts'

/** Slack takes about as long to take a message. */
const SLACK_MS: Milliseconds = 150

/** One message of an alert, as it stands in the channel by now. */
interface ChannelMessage {
  readonly team: number
  readonly count: number
  readonly isLate: boolean
}

/** Missed calls in a text; each has an id of its own, which stands in place of its line. */
const idsIn = (text: string) => new Set(text.match(/W\d{6}W-c\d+/g))

const countIn = (text: string) => Number(/^([\d,]+) missed calls/.exec(text)?.[1]?.replaceAll(',', '') ?? 1)

/** What arrives in channels, and in direct messages. */
export class Channels implements Inbox {
  /** By channel and time stamp. */
  readonly messages = new Map<string, ChannelMessage>()
  /** When a call was first told, and in which messages. */
  readonly told = new Map<string, { readonly at: EpochMs; readonly messages: Set<string> }>()
  /** By workspace: what its people were told in direct messages. */
  readonly notices: { readonly team: number; readonly text: string }[] = []
  posts = 0
  updates = 0
  #count = 0

  async webApi(method: string, form: URLSearchParams): Promise<object | undefined> {
    const of = (name: string) => form.get(name) ?? ''
    const channel = of('channel')
    switch (method) {
      case 'conversations.info':
        return { ok: true, channel: { id: channel, name: 'calls', is_channel: true, is_member: true } }
      case 'chat.postMessage': {
        this.#count += 1
        const ts = `${this.#count}.000000`
        // It is there before whoever sent it knows.
        if (channel.startsWith('C')) this.#show(channel, ts, form)
        else this.notices.push({ team: teamOf(channel), text: of('text') })
        this.posts += 1
        await sleep(SLACK_MS)
        return { ok: true, channel: channel.replace(/^U/, 'D'), ts }
      }
      case 'chat.update':
        this.#show(channel, of('ts'), form)
        this.updates += 1
        await sleep(SLACK_MS)
        return { ok: true, channel, ts: of('ts') }
      default:
        return undefined
    }
  }

  upload(): void {}

  #show(channel: string, ts: string, form: URLSearchParams): void {
    const key = `${channel} ${ts}`
    const [text, blocks] = [form.get('text') ?? '', form.get('blocks') ?? '']
    const isLate = /[Pp]osted up to/.test(blocks)
    this.messages.set(key, { team: teamOf(channel), count: countIn(text), isLate })
    const at = Date.now()
    for (const id of idsIn(text + blocks)) {
      const before = this.told.get(id)
      if (before) before.messages.add(key)
      else this.told.set(id, { at, messages: new Set([key]) })
    }
  }
}

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
