import { createHash } from 'node:crypto'
import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Unsent } from '../api/post-message.ts'
import { type Action, action, type ButtonAction } from '../blocks/action.ts'
import { actionRow, attribution, type Block, LIMITS, type Message, section } from '../blocks/blocks.ts'
import type { Answer, ApologyOffers } from './answer.ts'
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

interface PreviewSetting {
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

export const changedNote = 'The figures have changed. Check the preview again before you post.'
export const notInItNote = (channel: string) => `You aren't in <#${channel}> yourself.`

/** What can be clicked of one kind of post by hand. `About`: what it is of, before a channel is chosen. */
interface PostActions<About, Plan extends PostPlan> {
  /** Asks for the channel. */
  readonly channel: AboutAction<About>
  /** Asks for the channel anew, the one that was chosen filled in. */
  readonly back: ButtonAction<Plan>
  /** The preview once more. */
  readonly again: ButtonAction<Plan>
  /** Posts what was previewed. */
  readonly send: ButtonAction<Plan & { digest: string }>
  readonly cancel: AboutAction<About>
}

interface AboutAction<About> extends Action<About> {
  button(text: string, about: About): types.Button
}

export interface PostButtons<About, Plan extends PostPlan> {
  readonly actions: PostActions<About, Plan>
  about(plan: Plan): About
  /** On the button that asks for the channel. */
  readonly chooseText: string
  /** What could not be loaded: `the billing details`. */
  readonly request: string
}

export const discardedMessage = <About, Plan extends PostPlan>(
  { actions, chooseText }: PostButtons<About, Plan>,
  about: About,
): Message => withButtons('Discarded. Nothing was posted.', [actions.channel.button(chooseText, about)])

export class PostMessages<About, Plan extends PostPlan> {
  readonly #buttons
  readonly #plan
  readonly #channel

  constructor(buttons: PostButtons<About, Plan>, plan: Plan) {
    this.#buttons = buttons
    this.#plan = plan
    this.#channel = `<#${plan.channel}>`
  }

  previewFallback(): ApologyOffers {
    return { retry: this.#again('Try again'), request: this.#buttons.request }
  }

  /**
   * Exactly what would be posted, with buttons to post or discard it.
   * @param options what can still be chosen of it
   */
  preview(post: Answer, { name, channelName, note }: PreviewSetting, options: readonly Block[] = []): Answer {
    const { actions, about } = this.#buttons
    const sendText = channelName === undefined ? 'Post to the channel' : `Post to #${channelName}`
    const sent = { ...this.#plan, digest: digestOf(post.message) }
    const intro = `*Preview, not posted yet.* Everyone in ${this.#channel} will see:`
    return eachForm(attributed(post, name), ({ text, blocks = [] }) => ({
      text: `${note === undefined ? '' : `${note} `}${intro.replaceAll('*', '')} ${text}`,
      blocks: [
        section(note === undefined ? intro : `${note}\n${intro}`),
        { type: 'divider' },
        ...blocks,
        { type: 'divider' },
        ...options,
        ...actionRow([
          actions.send.button(sendText, sent, 'primary'),
          actions.back.button('Back', this.#plan),
          actions.cancel.button('Discard', about(this.#plan)),
        ]),
      ],
    }))
  }

  posted(permalink: string | undefined): Message {
    const isLink = permalink !== undefined && permalink.length <= LIMITS.url
    const view = isLink ? [{ ...viewPost.button('View post'), url: permalink }] : []
    return withButtons(`Posted in ${this.#channel}.`, view)
  }

  used(): Message {
    return withButtons(`Already posted. Look in ${this.#channel}.`, [this.#again('Preview again')])
  }

  /** Why the channel takes no post; an invitation to it, or joining it, may have changed that by the next try. */
  refused(refusal: string, { mayTryAgain = true } = {}): Message {
    const { actions, about, chooseText } = this.#buttons
    const choose = actions.channel.button(chooseText, about(this.#plan))
    return withButtons(refusal, [...(mayTryAgain ? [this.#again('Try again')] : []), choose])
  }

  notInIt(): Message {
    return this.refused(
      `Nothing was posted: you aren't in ${this.#channel}. Join it, or ask an administrator to post there.`,
    )
  }

  unsent(result: Unsent): Message {
    if (result.kind === 'unknown')
      return withButtons(
        `Slack didn't answer in time, so the post may or may not be there. Look in ${this.#channel} before you post again.`,
        [this.#again('Preview again')],
      )
    const text = `Nothing was posted. ${unsentText(result)}`
    return result.kind === 'refused' ? this.refused(text) : withButtons(text, [this.#again('Try again')])
  }

  #again(text: string): types.Button {
    return this.#buttons.actions.again.button(text, this.#plan)
  }
}
