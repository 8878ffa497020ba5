import { readableText } from '../slack/readable-text.ts'
import type { Message, User } from '../slack/slack.ts'
import type { DemoFile } from './demo-file.ts'

export type TourStepId =
  | 'missed'
  | 'agent'
  | 'report'
  | 'number'
  | 'bill'
  | 'alert'
  | 'taken'
  | 'schedule'
  | 'tomorrow'
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

/** What does a step: the modal that is submitted, by its callback_id. */
const submissions: Partial<Record<string, TourStepId>> = {
  'calls.alert': 'alert',
  'calls.schedule.preview': 'schedule',
}

/** What does a step: the button that is clicked, by its action_id. */
const clicks: Partial<Record<string, TourStepId>> = { 'alert.done': 'taken' }

/** A report that came by itself, as the app says in it. */
const isScheduledReport = (message: Message) =>
  message.via === 'api' && /^Call report.*\bScheduled by /s.test(readableText(message))

/** The tour's steps that were done, in whatever order, in this demo or before it was started again. */
export class TourProgress {
  readonly #file: DemoFile

  constructor(file: DemoFile) {
    this.#file = file
  }

  isDone(step: TourStepId): boolean {
    return this.#file.contents.done.includes(step)
  }

  add(step: TourStepId): void {
    if (!this.isDone(step)) this.#file.write({ done: [...this.#file.contents.done, step] })
  }

  /** Notes a command that somebody sent, such as `/calls missed`. */
  addCommand(line: string, user: User): void {
    const written = line.toLowerCase()
    for (const [step, isIt] of commands) if (isIt(written, user)) this.add(step)
  }

  /** Notes a modal that somebody submitted, and that was not refused. */
  addSubmission(callbackId = ''): void {
    const step = submissions[callbackId]
    if (step) this.add(step)
  }

  /** Notes what the app has posted by itself. */
  addMessages(messages: readonly Message[]): void {
    if (!this.isDone('tomorrow') && messages.some(isScheduledReport)) this.add('tomorrow')
  }

  /** Notes a button that somebody clicked. */
  addClick(actionId: string): void {
    const step = clicks[actionId]
    if (step) this.add(step)
  }
}
