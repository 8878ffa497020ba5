import type { types } from '@slack/bolt'
import type { Fallback } from '../answers/answer.ts'
import { refusedPostText } from '../answers/failures.ts'
import type { Unsent } from '../api/post-message.ts'
import { action } from '../blocks/action.ts'
import { actionRow, LIMITS, type Message, section } from '../blocks/blocks.ts'

export const withButtons = (mrkdwn: string, buttons: readonly types.Button[]): Message => ({
  text: mrkdwn,
  blocks: [section(mrkdwn), ...actionRow(buttons)],
})

/** A link, whose click Slack tells too. */
export const viewPost = action('billing.post.view')

export const changedNote = 'The figures have changed since. Please look again.'
export const notInItNote = (channel: string) => `You aren't in <#${channel}> yourself.`

/** The channel in a button, whose text holds no mention. @param name without the `#` */
export const postButtonText = (name: string | undefined) =>
  name === undefined ? 'Post to the channel' : `Post to #${name}`

/** What leads on from a post that was not made. */
export interface PostButtons {
  /** The preview once more. */
  again(channel: string, text: string): types.Button
  /** Asks for another channel. */
  readonly choose: types.Button
  /** What could not be loaded: `the billing details`. */
  readonly request: string
}

/** What a person is told about a post by hand. Pure. */
export class PostMessages {
  readonly #buttons

  constructor(buttons: PostButtons) {
    this.#buttons = buttons
  }

  /** What an apology offers: the preview once more. */
  previewFallback(channel: string): Fallback {
    return { retry: this.#buttons.again(channel, 'Try again'), request: this.#buttons.request }
  }

  discarded(): Message {
    return withButtons('Discarded. Nothing was posted.', [this.#buttons.choose])
  }

  /** @param permalink where the post is, if Slack tells it */
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
    switch (result.kind) {
      case 'refused':
        return this.refused(`Nothing was posted. ${refusedPostText(result.code)}`, channel)
      case 'not-now':
        return withButtons('Nothing was posted: Slack takes no posts right now.', [
          again(channel, 'Try again'),
        ])
      case 'unknown':
        return withButtons(
          `Slack didn't answer in time, so the post may be there or not. Look in <#${channel}> before you post again.`,
          [again(channel, 'Preview again')],
        )
    }
  }
}
