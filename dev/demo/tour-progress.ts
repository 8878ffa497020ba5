import { readableText } from '../slack/readable-text.ts'
import type { Message, User } from '../slack/slack.ts'
import type { DemoFile } from './demo-file.ts'

/** The command that does a step, from the tour or typed by oneself. */
const commands = {
  missed: /^\/calls (?!report|alert|schedule|export).*\bmissed\b/i,
  agent: /^\/calls (?!report|alert|schedule|export).*\bagent:/i,
  report: /^\/calls report\b/i,
  number: /^\/calls\b.*\bnumber:/i,
  bill: /^\/billing post\b/i,
  zone: /^\/calls timezone .*\btokyo\b/i,
}

/** What does a step: the modal that is submitted, by its callback_id; the button that is clicked, by its action_id. */
const acts: Partial<Record<string, string>> = {
  'calls.alert': 'alert',
  'calls.schedule.preview': 'schedule',
  'alert.done': 'taken',
  'calls.retry': 'failure',
}

/** A report that came by itself, as the app says in it. */
const isScheduledReport = (message: Message) =>
  message.via === 'api' && /^Call report.*\bScheduled by /s.test(readableText(message))

/** The tour's steps that were done, in whatever order, in this demo or before it was started again. */
export class TourProgress {
  readonly #file: DemoFile

  constructor(file: DemoFile) {
    this.#file = file
  }

  isDone(step: string): boolean {
    return this.#file.contents.done.includes(step)
  }

  add(step: string | undefined): void {
    if (step !== undefined && !this.isDone(step))
      this.#file.write({ done: [...this.#file.contents.done, step] })
  }

  /** Notes a command that somebody sent, such as `/calls missed`. */
  addCommand(line: string, user: User): void {
    const steps = user.is_restricted ? { guest: /^\/calls\b/i } : commands
    for (const [step, isIt] of Object.entries(steps)) if (isIt.test(line)) this.add(step)
  }

  /** Notes a button that somebody clicked, or a modal that was not refused. */
  addAct(id = ''): void {
    this.add(acts[id])
  }

  /** Notes what the app has posted by itself. */
  addMessages(messages: readonly Message[]): void {
    if (!this.isDone('tomorrow') && messages.some(isScheduledReport)) this.add('tomorrow')
  }
}
