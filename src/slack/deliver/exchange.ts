import { randomUUID } from 'node:crypto'
import type { types } from '@slack/bolt'
import type { Actor } from '../access/guards.ts'
import { type Answer, textAnswer } from './answers.ts'
import type { FailureKind } from './failures.ts'

/** Announces that the answer takes a while; only the first call counts. Takes escaped mrkdwn. Never throws. */
export type OnProgress = (mrkdwn: string) => void

/** One request in progress: what its log line says, and what its handler says besides the answer. */
export class Exchange {
  /** Leads from an apology to the log. */
  readonly reference = randomUUID().slice(0, 8)
  /** The route's name, for logs and metrics. */
  name: string
  /** `superseded`: another click on the message, or another delivery of this one, was answered instead. */
  outcome: FailureKind | 'ok' | 'superseded' = 'ok'
  /** Undefined until the person is admitted. */
  actor: Actor | undefined
  /** Offered with an apology, unless the error comes with its own offer. */
  retry: types.Button | types.ActionsBlock | undefined
  /** Runs after the reply was sent or failed; must not reject. */
  readonly lateWork: (() => Promise<void>)[] = []
  readonly #announcing = Promise.withResolvers<Answer>()
  readonly announcement = this.#announcing.promise
  readonly announce: OnProgress = (mrkdwn) => this.#announcing.resolve(textAnswer(mrkdwn))

  constructor(name: string) {
    this.name = name
  }

  /** Resolves to undefined if the answer is there first. @param answering must not reject */
  waitForAnnouncement(answering: Promise<unknown>): Promise<Answer | undefined> {
    return Promise.race([this.announcement, answering.then(() => undefined)])
  }
}
