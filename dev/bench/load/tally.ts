import { type Answer, NotAcknowledgedError, NotAnsweredError } from '../slack.ts'
import { mark, marksIn } from './mark.ts'

/** What became of an interaction, as its person sees it. */
export type Fate =
  | 'right'
  | 'apology'
  /** Acknowledged by nobody: Slack says that the app did not respond. */
  | 'told by Slack'
  /** Acknowledged by a process that was killed before it answered. */
  | 'killed'
  | 'lost'
  | 'wrong'
  | "another's"

const apology = /unavailable|try again|Please wait|went wrong on our side|didn't answer Callboard in time/

/** @param team whose interaction it was */
export function fateOf(answer: Answer, team: number): Fate {
  const marks = marksIn(answer.text)
  if (marks.some((one) => one !== mark(team))) return "another's"
  if (marks.length === 1) return 'right'
  return apology.test(answer.text) ? 'apology' : 'wrong'
}

/** @throws whatever is no fate of an interaction */
export function fateOfFailure(error: unknown, wasKilled: boolean): Fate {
  if (error instanceof NotAnsweredError) return wasKilled ? 'killed' : 'lost'
  if (error instanceof NotAcknowledgedError) return 'told by Slack'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/ECONNRESET|ECONNREFUSED|UND_ERR_SOCKET|EPIPE/.test(code)) return 'told by Slack'
  throw error
}

/** What a fault and a kill come to at most. */
const expected: readonly Fate[] = ['right', 'apology', 'told by Slack', 'killed']

export interface Tally {
  readonly fates: Map<Fate, number>
  sent: number
  acknowledgedInTime: number
  /** What was neither right nor an apology, for a look. */
  readonly samples: string[]
}

export const newTally = (): Tally => ({ fates: new Map(), sent: 0, acknowledgedInTime: 0, samples: [] })

export function count(tally: Tally, fate: Fate, ackMs: number | undefined, text = ''): void {
  tally.sent += 1
  if (ackMs !== undefined && ackMs <= 3000) tally.acknowledgedInTime += 1
  tally.fates.set(fate, (tally.fates.get(fate) ?? 0) + 1)
  if (!expected.includes(fate) && tally.samples.length < 5)
    tally.samples.push(`${fate}: ${text.slice(0, 200)}`)
}
