import { type Answer, textAnswer } from '../../slack/answers/answer.ts'
import { actionRow, type Message, section } from '../../slack/blocks/blocks.ts'
import {
  connectButton,
  disconnectButton,
  disconnectQuestion,
  showCallsButton,
} from '../../slack/blocks/shared-blocks.ts'

export const title = 'Connect phone account'

export const slow = {
  title,
  waiting: 'Testing the key and secret… The phone service is taking its time.',
  close: 'Cancel',
  failed: 'Sorry, something went wrong on our side. Nothing was stored. Try again.',
  note: 'the key and secret could not be kept',
}

/** What the modal turns into, where the message that it was opened from says the rest. */
export const connectedText = 'Connected.'

/** The same where no message was there, and in a modal no button answers. */
export const connectedByCommandText = 'Connected. `/calls` shows the calls.'

/** What a message turns into whose button opened the modal. */
export const connectedMessage: Message = {
  text: connectedText,
  blocks: [section(connectedText), ...actionRow([showCallsButton])],
}

const question = `${disconnectQuestion.title} ${disconnectQuestion.text}`

/** After the command: says what disconnecting takes away, and its button asks, with a way back. */
export const disconnectMessage: Message = {
  text: question,
  blocks: [section(question), ...actionRow([disconnectButton()])],
}

export const disconnectedText = 'Disconnected. The API key and secret are deleted.'

export const disconnectedAnswer: Answer = {
  message: {
    ...textAnswer(disconnectedText).message,
    blocks: [section(disconnectedText), ...actionRow([connectButton('Connect…')])],
  },
}
