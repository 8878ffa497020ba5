import type { types } from '@slack/bolt'
import type { Fallback } from '../../slack/answers/answer.ts'
import { refusedPostText } from '../../slack/answers/post-texts.ts'
import type { PostResult } from '../../slack/api/post-message.ts'
import { isUselessToken } from '../../slack/api/web-api.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import {
  actionRow,
  button,
  escapeText,
  LIMITS,
  type Message,
  plain,
  section,
} from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'

// What a person is told about a post by hand. Pure.

const withButtons = (mrkdwn: string, buttons: readonly types.Button[]): Message => ({
  text: mrkdwn,
  blocks: [section(mrkdwn), ...actionRow(buttons)],
})

const previewAgain = (channel: string, text: string) =>
  commandButton('post-again', text, `/billing post <#${channel}>`)

/** What an apology offers: the preview once more. */
export function previewFallback(channel: string): Fallback {
  const { action_id: actionId = '', value = '' } = previewAgain(channel, 'Try again')
  return { retry: { actionId, value }, request: 'the billing details' }
}
const chooseChannel = button(ACTIONS.postChannel, 'Post to a channel…', 'post')

export const changedNote = 'The figures have changed since. Please look again.'
export const notInItNote = (channel: string) => `You aren't in <#${channel}> yourself.`

/** The channel in a button, whose text holds no mention. @param name without the `#` */
export const postButtonText = (name: string | undefined) =>
  name === undefined ? 'Post to the channel' : `Post to #${name}`

export const discardedMessage = (): Message => withButtons('Discarded. Nothing was posted.', [chooseChannel])

/** @param permalink where the post is, if Slack tells it */
export function postedMessage(channel: string, permalink: string | undefined): Message {
  const isLink = permalink !== undefined && permalink.length <= LIMITS.url
  const view: types.Button = {
    type: 'button',
    action_id: ACTIONS.postView,
    text: plain('View post', LIMITS.buttonText),
    ...(isLink ? { url: permalink } : {}),
  }
  return withButtons(`Posted in <#${channel}>.`, isLink ? [view] : [])
}

export const usedMessage = (channel: string): Message =>
  withButtons(`This preview was used already. Look in <#${channel}>.`, [
    previewAgain(channel, 'Preview again'),
  ])

/** Why the channel takes no post; an invitation to it, or joining it, may have changed that by the next try. */
export const refusedMessage = (refusal: string, channel: string, { mayTryAgain = true } = {}): Message =>
  withButtons(refusal, [...(mayTryAgain ? [previewAgain(channel, 'Try again')] : []), chooseChannel])

export const notInItMessage = (channel: string): Message =>
  refusedMessage(
    `Nothing was posted: you aren't in <#${channel}>. Join it, or ask an administrator to post there.`,
    channel,
  )

export const noChannelMessage = (written: string): Message =>
  withButtons(`I don't recognise "${escapeText(written)}" as a channel, so nothing was posted.`, [
    commandButton('post-here', 'Post here', '/billing post'),
    chooseChannel,
  ])

export function unsentMessage(result: Exclude<PostResult, { kind: 'sent' }>, channel: string): Message {
  switch (result.kind) {
    case 'refused':
      return refusedMessage(
        `Nothing was posted. ${refusedPostText(result.code, isUselessToken(result.code))}`,
        channel,
      )
    case 'not-now':
      return withButtons('Nothing was posted: Slack takes no posts right now.', [
        previewAgain(channel, 'Try again'),
      ])
    case 'unknown':
      return withButtons(
        `Slack didn't answer in time, so the post may be there or not. Look in <#${channel}> before you post again.`,
        [previewAgain(channel, 'Preview again')],
      )
  }
}
