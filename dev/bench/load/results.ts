import type { Milliseconds } from '../../../src/util/units.ts'
import { NoMessageError, NotAcknowledgedError } from '../slack-stub.ts'
import { mark, marksIn } from '../workspaces.ts'

/** What became of an interaction, as its person sees it. */
export type Result =
  | 'right'
  | 'apology'
  /** Acknowledged by nobody: Slack says that the app did not respond. */
  | 'told by Slack'
  /** Acknowledged by a process that was killed before it answered. */
  | 'killed'
  | 'lost'
  | 'wrong'
  | "another's"

const APOLOGY =
  /isn't responding|asks us to wait|Too many requests|[Tt]ry again|went wrong on our side|didn't respond in time/
/** What a fault and a kill come to at most. */
const EXPECTED: readonly Result[] = ['right', 'apology', 'told by Slack', 'killed']

/** @param team whose interaction it was */
export function resultOfMessage(text: string, team: number): Result {
  const marks = marksIn(text)
  if (marks.some((one) => one !== mark(team))) return "another's"
  if (marks.length === 1) return 'right'
  return APOLOGY.test(text) ? 'apology' : 'wrong'
}

/** @throws whatever does not tell what became of an interaction */
export function resultOfError(error: unknown, wasKilled: boolean): Result {
  if (error instanceof NoMessageError) return wasKilled ? 'killed' : 'lost'
  if (error instanceof NotAcknowledgedError) return 'told by Slack'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/ECONNRESET|ECONNREFUSED|UND_ERR_SOCKET|EPIPE/.test(code)) return 'told by Slack'
  throw error
}

/** What became of all of them. */
export class Results {
  readonly #counts = new Map<Result, number>()
  /** What was neither right nor an apology, for a look. */
  readonly samples: string[] = []
  sent = 0
  acknowledgedInTime = 0

  add(result: Result, ackMs: Milliseconds | undefined, text: string): void {
    this.sent += 1
    if (ackMs !== undefined && ackMs <= 3000) this.acknowledgedInTime += 1
    this.#counts.set(result, this.count(result) + 1)
    if (!EXPECTED.includes(result) && this.samples.length < 5)
      this.samples.push(`${result}: ${text.slice(0, 200)}`)
  }

  count(result: Result): number {
    return this.#counts.get(result) ?? 0
  }
}
