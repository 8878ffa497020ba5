import { checkMessage, checkView, toSlackMessages, type Violation } from './block-kit/index.ts'
import { Changes } from './changes.ts'
import type { ConsentOffer } from './consent-page.ts'
import { Directory } from './directory.ts'
import { Faults } from './faults.ts'
import { OAuth } from './oauth.ts'
import { Messages, Views } from './stores.ts'
import { ResponseUrls, Triggers } from './tickets.ts'

/** A rule of Slack's (or ours) that the app broke, and where. */
export interface Breach extends Violation {
  readonly where: string
}

/** One call of the app to the Web API or a response_url. */
export interface Call {
  /** `users.info`, or `response_url`. */
  readonly method: string
  /** The arguments with no token among them. */
  readonly args: Readonly<Record<string, unknown>>
  /** The team whose token came with it; undefined where the token is wrong or missing. */
  readonly team: string | undefined
  /** Slack's `error`, once it was answered. */
  error?: string
  /** How long the answer took; undefined while there is none. */
  ms?: number
}

export interface Refusal {
  readonly error: string
  readonly messages: readonly string[]
}

/** Everything that the parts of the stand-in share. */
export class Core {
  readonly directory = new Directory()
  readonly changes = new Changes()
  readonly faults = new Faults()
  readonly oauth = new OAuth()
  /** Where the stand-in has pages of Slack's own. */
  consentOffer: ConsentOffer | undefined
  readonly calls: Call[] = []
  /** What the app answered requests with, as text. */
  readonly acknowledged: string[] = []
  readonly violations: Breach[] = []
  /** Messages that came in a click's acknowledgement. */
  readonly dropped: unknown[] = []
  refuseTables = false
  /** Where apps.connections.open sends an app in Socket Mode. */
  socketUrl: string | undefined
  #ahead = 0
  #count = 0
  readonly messages = new Messages(() => this.nextTs())
  readonly views = new Views(() => `0${this.nextTs().replace('.', '')}`)
  readonly triggers = new Triggers(() => this.now())
  readonly responseUrls = new ResponseUrls(() => this.now())

  now(): number {
    return Date.now() + this.#ahead
  }

  advance(ms: number): void {
    this.#ahead += ms
  }

  /** Slack's `1700000000.000100`: never the same twice, always later than the one before. */
  nextTs(): string {
    this.#count += 1
    return `${Math.floor(this.now() / 1000)}.${String(this.#count).padStart(6, '0')}`
  }

  /** Why Slack would refuse this message; undefined where it takes it. A breach of the rules is kept. */
  judgeMessage(body: unknown, where: string): Refusal | undefined {
    const violations = checkMessage(body)
    if (violations.length > 0) return this.breach(violations, where, messageError(violations), '')
    if (this.refuseTables && hasTable(body)) {
      return { error: 'invalid_blocks', messages: ['[ERROR] unsupported type: table [json-pointer:/blocks]'] }
    }
    return undefined
  }

  judgeView(view: unknown, where: string): Refusal | undefined {
    const violations = checkView(view)
    return violations.length === 0 ? undefined : this.breach(violations, where, 'invalid_arguments', '/view')
  }

  breach(violations: readonly Violation[], where: string, error: string, root: string): Refusal {
    this.violations.push(...violations.map((one) => ({ where, ...one })))
    return { error, messages: toSlackMessages(violations, root) }
  }
}

function messageError(violations: readonly Violation[]): string {
  if (violations.every(({ rule }) => rule === 'no_text')) return 'no_text'
  if (violations.every(({ rule }) => rule.startsWith('message-size'))) return 'msg_blocks_too_long'
  return 'invalid_blocks'
}

function hasTable(body: unknown): boolean {
  return JSON.stringify(body)?.includes('"type":"table"') ?? false
}
