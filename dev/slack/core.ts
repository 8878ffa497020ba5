import type { EpochMs, Milliseconds } from '../../src/util/units.ts'
import { ResponseUrls, Triggers } from './actions/issued.ts'
import { Faults } from './api/faults.ts'
import { type ConsentOffer, OAuth } from './api/oauth.ts'
import { Rates } from './api/rates.ts'
import {
  checkMessage,
  checkUnfurling,
  checkView,
  toSlackMessages,
  type Violation,
} from './block-kit/index.ts'
import { Changes } from './changes.ts'
import { Directory, type TeamOptions, type Workspace } from './directory.ts'
import { Files } from './files.ts'
import { Ids } from './ids.ts'
import { Messages } from './surfaces.ts'
import { Views } from './views.ts'

/** A violation of Slack's rules or ours, and the request that contained it. */
export interface LocatedViolation extends Violation {
  readonly where: string
}

export interface Call {
  /** `users.info`, or `response_url`. */
  readonly method: string
  /** The arguments without the token. */
  readonly args: Readonly<Record<string, unknown>>
  /** Team of the token; undefined if the token is wrong or missing. */
  readonly team: string | undefined
  /** Slack's `error`; undefined until there is a response. */
  error?: string
  /** Duration of the response; undefined until there is one. */
  ms?: Milliseconds
}

export interface Refusal {
  readonly error: string
  readonly messages: readonly string[]
}

/** Everything that the parts of the stand-in share. */
export class Core {
  readonly signingSecret = 'stand-in-signing-secret'
  readonly ackTimeoutMs: Milliseconds
  readonly #clock: () => EpochMs
  /** Scopes granted to the app; undefined for all. */
  readonly scopes: readonly string[] | undefined
  origin = ''
  appUrl = ''
  readonly directory = new Directory()
  readonly workspace: Workspace
  readonly changes = new Changes()
  readonly faults = new Faults()
  readonly rates = new Rates(() => this.now())
  readonly oauth = new OAuth()
  /** Offer on the stand-in's consent page. */
  consentOffer: ConsentOffer | undefined
  readonly calls: Call[] = []
  readonly acknowledged: string[] = []
  readonly violations: LocatedViolation[] = []
  /** Messages that came in a click's acknowledgement. */
  readonly dropped: unknown[] = []
  readonly refusedBlocks = new Set<string>()
  /** Address that apps.connections.open returns in Socket Mode. */
  socketUrl: string | undefined
  #aheadMs = 0
  readonly ids = new Ids(() => this.now())
  readonly messages = new Messages(this.ids)
  readonly views = new Views(this.ids)
  readonly files = new Files()
  readonly triggers
  readonly responseUrls = new ResponseUrls(() => this.now())

  constructor(
    options: {
      readonly team?: TeamOptions
      readonly scopes?: readonly string[]
      /** Timeout for acknowledgements; 3 s by default. A longer one also extends the lifetime of trigger_ids. */
      readonly ackTimeoutMs?: Milliseconds
      /** The machine's clock by default. */
      readonly now?: () => EpochMs
    } = {},
  ) {
    this.scopes = options.scopes
    this.#clock = options.now ?? Date.now
    this.ackTimeoutMs = options.ackTimeoutMs ?? 3000
    this.triggers = new Triggers(() => this.now(), this.ackTimeoutMs)
    this.workspace = this.directory.addWorkspace(options.team)
  }

  now(): EpochMs {
    return this.#clock() + this.#aheadMs
  }

  advance(ms: Milliseconds): void {
    this.#aheadMs += ms
  }

  /** Returns Slack's refusal, or undefined if it accepts the message. Violations are recorded. */
  checkMessage(body: unknown, where: string): Refusal | undefined {
    // An update keeps the flags of the original message.
    const unfurled = where === 'chat.update' ? [] : checkUnfurling(body)
    const violations = [...checkMessage(body), ...unfurled]
    if (violations.length > 0) return this.refuse(violations, where, messageError(violations))
    const refused = [...this.refusedBlocks].find((type) => hasBlock(body, type))
    if (refused !== undefined) {
      const message = `[ERROR] unsupported type: ${refused} [json-pointer:/blocks]`
      return { error: 'invalid_blocks', messages: [message] }
    }
    return undefined
  }

  checkView(view: unknown, where: string): Refusal | undefined {
    const violations = checkView(view)
    return violations.length === 0 ? undefined : this.refuse(violations, where, 'invalid_arguments', '/view')
  }

  /** @param root JSON pointer to the checked value in the call's arguments */
  refuse(violations: readonly Violation[], where: string, error: string, root = ''): Refusal {
    this.violations.push(...violations.map((one) => ({ where, ...one })))
    return { error, messages: toSlackMessages(violations, root) }
  }
}

function messageError(violations: readonly Violation[]): string {
  if (violations.every(({ rule }) => rule === 'no_text')) return 'no_text'
  if (violations.every(({ rule }) => rule.startsWith('message-size'))) return 'msg_blocks_too_long'
  return 'invalid_blocks'
}

function hasBlock(body: unknown, type: string): boolean {
  return JSON.stringify(body)?.includes(`"type":"${type}"`) ?? false
}
