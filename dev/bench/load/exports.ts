import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Milliseconds } from '../../../src/util/units.ts'
import type { Inbox } from '../slack-stub.ts'
import { ALL_CALLS, mark, marksIn, teamOf } from '../workspaces.ts'
import type { Result } from './outcomes.ts'

/** What became of an export, as its person sees it. */
type ExportResult =
  | 'arrived once'
  /** In its message, or where it was asked for. */
  | 'told why not'
  /** Nobody can tell whether it arrived, since a process was killed as it was sent. */
  | 'told to look'
  /** Asked for when a process was killed: Slack says that the app did not respond, or nothing is said. */
  | 'killed'
  | 'lost'
  | 'arrived twice'
  | 'wrong'
  | "another's"

interface DirectMessage {
  text: string
  isOver: boolean
  isAgain: boolean
}

/** As long as an export may take that a killed process had begun, and then some. */
const PATIENCE_MS: Milliseconds = 60_000

const sharedFiles = z.tuple([z.object({ id: z.string() })])

/** Whether every call is in it, each once, below the columns' names. */
function isWhole(csv: string): boolean {
  const ids = new Set(csv.match(/W\d{6}W-incoming-[\d-]+/g))
  return ids.size === ALL_CALLS && csv.trimEnd().split('\r\n').length === ALL_CALLS + 1
}

/** What arrives in direct messages: how far exports are, and their files. */
export class Exports implements Inbox {
  /** By conversation and time stamp. */
  readonly #messages = new Map<string, DirectMessage>()
  readonly #uploads = new Map<string, string>()
  readonly #files: { readonly team: number; readonly content: string }[] = []
  /** By workspace. */
  readonly #answers = new Map<number, Result>()
  #count = 0

  webApi(method: string, form: URLSearchParams, origin: string): object | undefined {
    const of = (name: string) => form.get(name) ?? ''
    switch (method) {
      case 'chat.postMessage': {
        this.#count += 1
        const [channel, ts] = [of('channel').replace(/^U/, 'D'), `${this.#count}.000000`]
        this.#show(channel, ts, form)
        return { ok: true, channel, ts }
      }
      case 'chat.update':
        this.#show(of('channel'), of('ts'), form)
        return { ok: true, channel: of('channel'), ts: of('ts') }
      case 'files.getUploadURLExternal': {
        this.#count += 1
        const id = `F${this.#count}`
        return { ok: true, upload_url: `${origin}/upload/${id}`, file_id: id }
      }
      case 'files.completeUploadExternal': {
        const [{ id }] = sharedFiles.parse(JSON.parse(of('files')))
        this.#files.push({ team: teamOf(of('channel_id')), content: this.#uploads.get(id) ?? '' })
        return { ok: true, files: [{ id }] }
      }
      default:
        return undefined
    }
  }

  upload(id: string, content: string): void {
    this.#uploads.set(id, content)
  }

  #show(channel: string, ts: string, form: URLSearchParams): void {
    const key = `${channel} ${ts}`
    const text = form.get('text') ?? ''
    const isOver = !(form.get('blocks') ?? '').includes('calls.export-cancel')
    const isAgain = /interrupted|restarted/.test(text) || this.#messages.get(key)?.isAgain === true
    this.#messages.set(key, { text, isOver, isAgain })
  }

  /** Until each has ended, a minute at most. */
  async ended(): Promise<void> {
    const until = performance.now() + PATIENCE_MS
    const isOver = () => [...this.#messages.values()].every((message) => message.isOver)
    while (!isOver() && performance.now() < until) await sleep(100)
  }

  /** Of a workspace's export: what became of the interaction that asked for it. */
  answered(team: number, answer: Result): void {
    this.#answers.set(team, answer)
  }

  /** What became of all of them, as lines of text. */
  report(): readonly string[] {
    const begunAgain = [...this.#messages.values()].filter(({ isAgain }) => isAgain).length
    // For workspaces that did not ask for one.
    const unasked = this.#files.filter(({ team }) => !this.#answers.has(team)).length
    const results = [...this.#answers].map(([team, answer]) => this.#resultOf(team, answer))
    const count = (result: ExportResult) => results.filter((one) => one === result).length
    return [
      `exports asked for         ${results.length}`,
      `exports arrived once      ${count('arrived once')} (whole; ${begunAgain} of all were begun again)`,
      `exports told why not      ${count('told why not')}`,
      `exports told to look      ${count('told to look')} (a process was killed as it sent the file)`,
      `exports not begun         ${count('killed')} (told so by Slack, or lost with the killed one)`,
      `exports lost              ${count('lost')}`,
      `exports arrived twice     ${count('arrived twice')}`,
      `exports wrong             ${count('wrong')}`,
      `exports of another one    ${count("another's") + unasked}`,
    ]
  }

  #resultOf(team: number, answer: Result): ExportResult {
    const files = this.#files.filter((file) => file.team === team)
    const messages = [...this.#messages].filter(([key]) => teamOf(key.split(' ')[0] ?? '') === team)
    const last = messages.at(-1)?.[1]
    const [file] = files
    if (files.length > 1) return 'arrived twice'
    if (file && marksIn(file.content).some((one) => one !== mark(team))) return "another's"
    if (file && !isWhole(file.content)) return 'wrong'
    if (last?.isOver && last.text.startsWith('The file may be below')) return 'told to look'
    if (last?.isOver && file) return last.text.startsWith('Here are') ? 'arrived once' : 'wrong'
    if (last?.isOver) return last.text.startsWith('Export failed') ? 'told why not' : 'lost'
    if (file) return 'wrong'
    if (answer === 'killed' || answer === 'told by Slack') return 'killed'
    return !last && answer === 'apology' ? 'told why not' : 'lost'
  }
}
