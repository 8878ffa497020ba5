import type { Changes } from '../changes.ts'
import type { Json, MessageBody, Option } from '../shapes.ts'
import type { Message, View } from '../surfaces.ts'

/** A post of the app to a response_url, and Slack's response. */
export interface Post {
  readonly body: MessageBody
  readonly status: number
  readonly error?: string
  readonly message?: Message
}

export type SubmissionResult =
  | { readonly action: 'closed' }
  | { readonly action: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly action: 'updated'; readonly view: View }
  | { readonly action: 'failed'; readonly reason: string }

/** A request to the app, and everything that it causes. Later responses are added; earlier ones never change. */
export class Exchange {
  /** The sent payload; tests forge others from it. */
  readonly payload: Json
  /** Path of the request. */
  path = '/slack/events'
  /** HTTP status of the acknowledgement; 0 if none arrived within 3 s. */
  status = 0
  ackMs = 0
  ackBody: unknown
  timedOut = false
  /** A message in a click's acknowledgement, which Slack doesn't show. */
  dropped: unknown
  /** Error that Slack shows for an invalid acknowledgement, such as `dispatch_failed`. */
  error: string | undefined
  result: SubmissionResult | undefined
  /** Options in the response to a block_suggestion. */
  options: readonly Option[] = []
  /** All posts to the response_url, including refused ones, with Slack's responses. */
  readonly posts: Post[] = []
  /** Messages that the person saw, in order: from the acknowledgement and the response_url. */
  readonly messages: Message[] = []
  /** Views opened or pushed with its trigger_id or shown by its acknowledgement, and their later updates, in order. */
  readonly views: View[] = []
  readonly #changes: Changes

  constructor(payload: Json, changes: Changes) {
    this.payload = payload
    this.#changes = changes
  }

  waitForMessage(timeoutMs = 15_000): Promise<Message> {
    return this.#until(() => this.messages[0], timeoutMs, 'a message')
  }

  waitForMessages(n: number): Promise<readonly Message[]> {
    const first = () => (this.messages.length >= n ? this.messages.slice(0, n) : undefined)
    return this.#until(first, 15_000, `${n} messages`)
  }

  /** Waits for the `n`th shown view, counted from 1: opened, pushed or updated. */
  waitForView(n = 1, timeoutMs = 15_000): Promise<View> {
    return this.#until(() => this.views[n - 1], timeoutMs, `view ${n}`)
  }

  #until<T>(probe: () => T | undefined, timeoutMs: number, what: string): Promise<T> {
    return this.#changes.until(probe, timeoutMs, () => `${what}; ${this.#summary()}`)
  }

  #summary(): string {
    const posts = this.posts.map((post) => `${post.status} ${post.error ?? 'ok'}`).join(', ')
    return [
      `acknowledged with ${this.status} ${JSON.stringify(this.ackBody)?.slice(0, 300) ?? '(nothing)'}`,
      ...(this.error === undefined ? [] : [`error ${this.error}`]),
      `posts: ${posts || 'none'}`,
      `views: ${this.views.length}`,
    ].join('; ')
  }
}
