import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { button, escapeText, type Message } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { PostMessages, withButtons } from '../../slack/posting/messages.ts'

const chooseChannel = button(ACTIONS.postChannel, 'Post to a channel…', 'post')

/** What a person is told about a billing post by hand. */
export const postMessages = new PostMessages({
  again: (channel, text) => commandButton('post-again', text, `/billing post <#${channel}>`),
  choose: chooseChannel,
  request: 'the billing details',
})

export const noChannelMessage = (written: string): Message =>
  withButtons(`I don't recognise "${escapeText(written)}" as a channel, so nothing was posted.`, [
    commandButton('post-here', 'Post here', '/billing post'),
    chooseChannel,
  ])
