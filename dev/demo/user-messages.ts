import type { Slack } from '../slack/slack.ts'

export const slackbot = 'USLACKBOT'

interface UserMessage {
  readonly ts: string
  readonly channel: string
  readonly author: string
  readonly onlyFor: string | undefined
  readonly text: string
}

/** Stores messages from people, and from Slackbot to one of them. */
export class UserMessages {
  readonly #slack: Slack
  readonly #messages: UserMessage[] = []

  constructor(slack: Slack) {
    this.#slack = slack
  }

  get all(): readonly UserMessage[] {
    return this.#messages
  }

  add(message: Omit<UserMessage, 'ts'>): void {
    this.#messages.push({ ts: this.#slack.nextTs(), ...message })
    this.#slack.changes.emit('change')
  }
}
