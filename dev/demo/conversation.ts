import type { Slack } from '../slack/slack.ts'

export const slackbot = 'USLACKBOT'

/** What people write themselves, and what Slackbot tells one of them. */
export interface Note {
  readonly ts: string
  readonly channel: string
  readonly author: string
  readonly onlyFor: string | undefined
  readonly text: string
}

export interface Conversation {
  readonly notes: readonly Note[]
  write(note: Omit<Note, 'ts'>): void
}

export function createConversation(slack: Slack, changed: () => void): Conversation {
  const notes: Note[] = []
  return {
    notes,
    write(note) {
      notes.push({ ts: slack.nextTs(), ...note })
      changed()
    },
  }
}
