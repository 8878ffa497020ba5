import type { User } from '../slack/slack.ts'

export type TourStepId =
  | 'missed'
  | 'agent'
  | 'report'
  | 'number'
  | 'bill'
  | 'zone'
  | 'guest'
  | 'failure'
  | 'company'

/** What does a step: what somebody types, from the tour or by themselves. */
const commands: readonly (readonly [TourStepId, (line: string, user: User) => boolean])[] = [
  ['missed', (line) => /^\/calls\b.*\bmissed\b/.test(line)],
  ['agent', (line) => /^\/calls\b.*\bagent:/.test(line)],
  ['report', (line) => /^\/calls report\b/.test(line)],
  ['number', (line) => /^\/calls\b.*\bnumber:/.test(line)],
  ['bill', (line) => /^\/billing post\b/.test(line)],
  ['zone', (line) => /^\/calls timezone \S/.test(line)],
  ['guest', (_line, user) => user.is_restricted],
]

/** The tour's steps that were done, in whatever order. */
export class TourProgress {
  readonly #done = new Set<TourStepId>()

  isDone(step: TourStepId): boolean {
    return this.#done.has(step)
  }

  add(step: TourStepId): void {
    this.#done.add(step)
  }

  /** Notes a command that somebody sent, such as `/calls missed`. */
  addCommand(line: string, user: User): void {
    const written = line.toLowerCase()
    for (const [step, isIt] of commands) if (isIt(written, user)) this.add(step)
  }
}
