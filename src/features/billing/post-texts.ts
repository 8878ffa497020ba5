import { escapeText, type Message } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { PostMessages, withButtons } from '../../slack/posting/messages.ts'
import { postActions } from './actions.ts'

export const chooseChannel = postActions.channel.button('Post to a channel…')

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
