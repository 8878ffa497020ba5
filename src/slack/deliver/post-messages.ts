import { createHash } from 'node:crypto'
import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Unsent } from '../api/post-message.ts'
import { action } from '../blocks/action.ts'
import { actionRow, attribution, type Block, LIMITS, type Message, section } from '../blocks/blocks.ts'
import type { Answer, Fallback } from './answer.ts'
import { unsentText } from './failures.ts'

/** Rides in a preview's buttons, with what is to be posted. */
export const postPlan = z.strictObject({
  channel: z.string().regex(/^[A-Z0-9]{2,40}$/),
  /** Claimed once, so that a double click posts once. */
  nonce: z.string().regex(/^[\w-]{8,40}$/),
})
export type PostPlan = z.infer<typeof postPlan>

export const digestOf = (message: Message): string =>
  createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 16)

export interface PreviewSetting {
  readonly name: string
  /** Without the `#`; `undefined` where Slack didn't give it. */
  readonly channelName: string | undefined
  /** What the person has to know first. mrkdwn. */
  readonly note?: string | undefined
}

const eachForm = (answer: Answer, change: (message: Message) => Message): Answer => ({
  ...answer,
  message: change(answer.message),
  otherwise: (answer.otherwise ?? []).map((form) => () => change(form())),
})

/**
 * What everyone in the channel sees: the post, and below it who posted it.
 * @param more what there is to say beside that
 */
export const attributed = (
  post: Answer,
  name: string,
  how: 'Posted' | 'Scheduled' = 'Posted',
  more: readonly Block[] = [],
): Answer =>
  eachForm(post, ({ text, blocks = [] }) => ({
    text,
    blocks: [...blocks, attribution(name, how), ...more],
  }))

export const withButtons = (mrkdwn: string, buttons: readonly types.Button[]): Message => ({
  text: mrkdwn,
  blocks: [section(mrkdwn), ...actionRow(buttons)],
})

/** A link; Slack sends its click too. */
export const viewPost = action('billing.post.view')

export const changedNote = 'The figures have changed since. Please look again.'
export const notInItNote = (channel: string) => `You aren't in <#${channel}> yourself.`

export interface PostButtons {
  again(channel: string, text: string): types.Button
  readonly choose: types.Button
  /** Posts what was previewed. @param digest of it */
  send(text: string, digest: string): types.Button
  readonly discard: types.Button
  /** What could not be loaded: `the billing details`. */
  readonly request: string
}

export class PostMessages {
  readonly #buttons

  constructor(buttons: PostButtons) {
    this.#buttons = buttons
  }

  previewFallback(channel: string): Fallback {
    return { retry: this.#buttons.again(channel, 'Try again'), request: this.#buttons.request }
  }

  /**
   * Exactly what would be posted, with buttons to post or discard it.
   * @param options what can still be chosen of it
   */
  preview(
    post: Answer,
    channel: string,
    { name, channelName, note }: PreviewSetting,
    options: readonly Block[] = [],
  ): Answer {
    const { send, discard } = this.#buttons
    const sendText = channelName === undefined ? 'Post to the channel' : `Post to #${channelName}`
    const intro = `*Preview, not posted yet.* Everyone in <#${channel}> will see:`
    return eachForm(attributed(post, name), ({ text, blocks = [] }) => ({
      text: `${note === undefined ? '' : `${note} `}${intro.replaceAll('*', '')} ${text}`,
      blocks: [
        section(note === undefined ? intro : `${note}\n${intro}`),
        { type: 'divider' },
        ...blocks,
        { type: 'divider' },
        ...options,
        ...actionRow([send(sendText, digestOf(post.message)), discard]),
      ],
    }))
  }

  discarded(): Message {
    return withButtons('Discarded. Nothing was posted.', [this.#buttons.choose])
  }

  posted(channel: string, permalink: string | undefined): Message {
    const isLink = permalink !== undefined && permalink.length <= LIMITS.url
    const view = isLink ? [{ ...viewPost.button('View post'), url: permalink }] : []
    return withButtons(`Posted in <#${channel}>.`, view)
  }

  used(channel: string): Message {
    return withButtons(`This preview was used already. Look in <#${channel}>.`, [
      this.#buttons.again(channel, 'Preview again'),
    ])
  }

  /** Why the channel takes no post; an invitation to it, or joining it, may have changed that by the next try. */
  refused(refusal: string, channel: string, { mayTryAgain = true } = {}): Message {
    const { again, choose } = this.#buttons
    return withButtons(refusal, [...(mayTryAgain ? [again(channel, 'Try again')] : []), choose])
  }

  notInIt(channel: string): Message {
    return this.refused(
      `Nothing was posted: you aren't in <#${channel}>. Join it, or ask an administrator to post there.`,
      channel,
    )
  }

  unsent(result: Unsent, channel: string): Message {
    const { again } = this.#buttons
    if (result.kind === 'unknown')
      return withButtons(
        `Slack didn't answer in time, so the post may be there or not. Look in <#${channel}> before you post again.`,
        [again(channel, 'Preview again')],
      )
    const text = `Nothing was posted. ${unsentText(result)}`
    return result.kind === 'refused'
      ? this.refused(text, channel)
      : withButtons(text, [again(channel, 'Try again')])
  }
}
