import { setTimeout as sleep } from 'node:timers/promises'
import type { EpochMs, Milliseconds } from '../../../../src/util/units.ts'
import type { Inbox } from '../../slack-stub.ts'

/** Slack takes about as long to take a message. */
const SLACK_MS: Milliseconds = 150

/** One message of an alert, as it stands in the channel by now. */
export interface ChannelMessage {
  readonly team: number
  readonly count: number
  readonly isLate: boolean
}

/** A workspace's channel and its people, whose workspace their ids tell. */
export const channelOf = (team: number): string => `C${String(team).padStart(8, '0')}`
const teamOf = (id: string) => Number(id.slice(1))

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
