import type { ScheduleInfo } from '../../planned/schedule-kind.ts'
import { actionRow, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton, showCallsButton } from '../../slack/blocks/command-button.ts'
import { connectButton, disconnectButton, disconnectQuestion } from '../../slack/blocks/links.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answer.ts'
import { numberText } from '../../util/text.ts'

export const title = 'Connect phone account'

export const testingText = 'Testing the key and secret… The phone service is taking its time.'

/** How many schedules of a kind are paused, where there are any. */
export type PausedSchedules = readonly { readonly kind: ScheduleInfo; readonly count: number }[]

function pausedText(paused: PausedSchedules): string {
  const count = paused.reduce((sum, one) => sum + one.count, 0)
  return count === 1 ? '1 schedule is still paused' : `${numberText(count)} schedules are still paused`
}

/** After a connection in a modal, in which no button answers. */
export function pausedHint(paused: PausedSchedules): string {
  if (paused.length === 0) return ''
  const commands = paused.map(({ kind }) => `\`/${kind.command} schedules\``)
  return ` ${pausedText(paused)}: see ${commands.join(' and ')}.`
}

/** What the modal turns into, where the message that it was opened from says the rest. */
export const connectedText = 'Connected.'

/** The same where no message was there, and in a modal no button answers. */
export const connectedByCommandText = 'Connected. `/calls` shows the calls.'

/** What a message turns into whose button opened the modal. */
export function connectedMessage(paused: PausedSchedules): Message {
  const text = paused.length === 0 ? connectedText : `${connectedText} ${pausedText(paused)}.`
  const manage = paused.map(({ kind: { home, command } }) =>
    commandButton(home.manage.id, home.manage.text, `/${command} schedules`),
  )
  return { text, blocks: [section(text), ...actionRow([showCallsButton, ...manage])] }
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
