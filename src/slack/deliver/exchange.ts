import { randomUUID } from 'node:crypto'
import type { Actor } from '../access/guards.ts'
import { type Answer, textAnswer } from './answers.ts'
import type { Offers } from './apologies.ts'
import type { FailureKind } from './failures.ts'

/** Announces that the answer takes a while; only the first call counts. Takes escaped mrkdwn. Never throws. */
export type OnProgress = (mrkdwn: string) => void

/** One request in progress: what its log line says, and what its handler says besides the answer. */
export class Exchange {
  /** Leads from an apology to the log. */
  readonly reference = randomUUID().slice(0, 8)
  /** The route's name, for logs and metrics. */
  name: string
  /** `superseded`: a later click on the same message was answered instead. */
  outcome: FailureKind | 'ok' | 'superseded' = 'ok'
  /** Undefined until the person is admitted. */
  actor: Actor | undefined
  /** Offered with an apology, unless the error comes with its own offer. */
  retry: Offers['retry']
  readonly announce: OnProgress = (mrkdwn) => this.#progress.resolve(textAnswer(mrkdwn))
  readonly #progress = Promise.withResolvers<Answer>()
  readonly #lateWork: (() => Promise<void>)[] = []

  constructor(name: string) {
    this.name = name
  }

  /** Resolves to the announcement, or to undefined if the answer is there first. @param answering must not reject */
  progressBefore(answering: Promise<unknown>): Promise<Answer | undefined> {
    return Promise.race([this.#progress.promise, answering.then(() => undefined)])
  }

  /** @param work runs after the reply was sent or failed; must not reject */
  afterwards(work: () => Promise<void>): void {
    this.#lateWork.push(work)
  }

  async runLateWork(): Promise<void> {
    for (const work of this.#lateWork) await work()
  }
}
