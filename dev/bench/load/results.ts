import type { Milliseconds } from '../../../src/util/units.ts'
import { NoMessageError, NotAcknowledgedError } from '../slack-stub.ts'
import { mark, marksIn } from '../workspaces.ts'
import { type Asked, answers, type What } from './mix.ts'

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
  /isn't responding|asks us to wait|Too many requests|[Tt]ry again|went wrong on our side|didn't respond in time|ran out of time|keep you waiting/
/** What a fault and a kill come to at most. */
const EXPECTED: readonly Result[] = ['right', 'apology', 'told by Slack', 'killed']

export function resultOfMessage(text: string, { what, interaction }: Asked): Result {
  const marks = marksIn(text)
  if (marks.some((one) => one !== mark(interaction.team))) return "another's"
  if (answers(text, what, marks.length)) return 'right'
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
  readonly #counts = new Map<string, number>()
  /** What was neither right nor an apology, for a look. */
  readonly samples: string[] = []
  sent = 0
  acknowledgedInTime = 0

  add(what: What, result: Result, { ackMs, text }: { ackMs?: Milliseconds; text: string }): void {
    this.sent += 1
    if (ackMs !== undefined && ackMs <= 3000) this.acknowledgedInTime += 1
    for (const key of [result, `${what} ${result}`]) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    if (!EXPECTED.includes(result) && this.samples.length < 5)
      this.samples.push(`${what}, ${result}: ${text.slice(0, 200)}`)
  }

  /** Of all of them, or of one sort. */
  count(result: Result, what?: What): number {
    return this.#counts.get(what === undefined ? result : `${what} ${result}`) ?? 0
  }

  /** `180: 171 answered rightly, 9 told of a failure, …` */
  summary(what: What): string {
    const of = (result: Result) => this.count(result, what)
    const bad = of('lost') + of('wrong') + of("another's")
    const known = EXPECTED.reduce((sum, result) => sum + of(result), 0)
    return `${known + bad}: ${of('right')} answered rightly, ${of('apology')} told of a failure, ${of('told by Slack')} told so by Slack itself, ${of('killed')} lost with the killed one, ${bad} otherwise`
  }
}
