import type { Milliseconds } from '../../../src/util/units.ts'
import { type Interaction, NoMessageError, NotAcknowledgedError } from '../slack-stub.ts'
import { ALL_CALLS, CALLS_IN_RANGE, mark, marksIn } from '../workspaces.ts'

/** What a person asks for. */
export type What = 'page' | 'report' | 'number search' | 'export'

export interface Asked {
  readonly what: What
  readonly interaction: Interaction
}

const REPORTS = [13, 46, 79]
const NUMBER_SEARCHES = [29, 62]
/** In shares of the whole time: throughout, and closer together before each end of a process. */
const EXPORTS = [0.05, 0.2, 0.31, 0.32, 0.33, 0.34, 0.42, 0.5, 0.58, 0.68, 0.81, 0.82, 0.83, 0.84, 0.95]

/**
 * The nth of so many. In a hundred three reports and two searches for a number; of the rest half lists of calls, a third
 * pages turned, and then agents and billing; over all workspaces. A few exports in all, each of another workspace.
 */
export function asked(n: number, { all, workspaces }: { all: number; workspaces: number }): Asked {
  const exported = EXPORTS.findIndex((share) => Math.floor(share * all) === n)
  const command = (what: What, team: number, text: string): Asked => ({
    what,
    interaction: { kind: 'command', team, page: 1, text },
  })
  if (exported !== -1) return command('export', exported % workspaces, 'export incoming')
  const team = (n * 7919) % workspaces
  if (REPORTS.includes(n % 100)) return command('report', team, 'report')
  if (NUMBER_SEARCHES.includes(n % 100))
    return command('number search', team, `number:${String(team).padStart(6, '0')}`)
  return { what: 'page', interaction: pageOf(n, team) }
}

function pageOf(n: number, team: number): Interaction {
  const page = 1 + (n % 150)
  const kind = n % 20
  if (kind < 7) return { kind: 'click', team, page }
  if (kind < 17) return { kind: 'command', team, page }
  return { kind: 'command', team, page, command: kind < 19 ? '/agents' : '/billing' }
}

const english = (count: number) => count.toLocaleString('en')
/** Of 65 s and 0.0125 each. */
const REPORTED = [
  `Incoming calls: ${CALLS_IN_RANGE} (no change)`,
  `Outgoing calls: ${CALLS_IN_RANGE} (no change)`,
  'Talk time, incoming: 1:05:00 ',
  'Talk time, outgoing: 1:05:00 ',
  'Cost, incoming: 0.75',
  'Cost, outgoing: 0.75',
]

/** Whether a message has what was asked for. @param owners whose records it shows: how many workspaces' */
function answers(text: string, what: What, owners: number): boolean {
  switch (what) {
    case 'page':
      return owners === 1
    case 'report':
      return owners === 1 && REPORTED.every((figure) => text.includes(figure))
    case 'number search':
      return owners === 1 && text.includes(`I searched ${2 * CALLS_IN_RANGE} calls.`)
    case 'export':
      // The file itself comes later.
      return text.includes(`Exporting ${english(ALL_CALLS)} incoming calls`)
  }
}

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
  /** What was neither right nor an apology, for whoever reads the table. */
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
