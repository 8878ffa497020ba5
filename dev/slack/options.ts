import type { TeamOptions } from './directory.ts'

export interface SlackOptions {
  readonly signingSecret?: string
  /** The first workspace. */
  readonly team?: TeamOptions
  /** What the app was granted; without it, everything. */
  readonly scopes?: readonly string[]
  /** Slack waits 3 s for an acknowledgement. */
  readonly ackTimeoutMs?: number
}
