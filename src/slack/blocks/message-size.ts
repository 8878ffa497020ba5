import { cut, LIMITS, type Message } from './blocks.ts'
import { MESSAGE_TEAM_LENGTH } from './message-team.ts'

/** What is added to a message on its way: its envelope, and its workspace in the id of each block that can be clicked. */
const envelopeBytes = 100
const addedBytes = envelopeBytes + 20 * MESSAGE_TEAM_LENGTH

const bytesOf = (message: Message): number => Buffer.byteLength(JSON.stringify(message))

/** Whether Slack would refuse a message for its size, as it is sent. */
export const isTooLong = (message: Message): boolean => bytesOf(message) > LIMITS.messageBytes - envelopeBytes

/** The first form that fits, of those from the fullest to the shortest; the shortest where none does. */
export function firstThatFits(fullest: Message, ...shorter: readonly (() => Message)[]): Message {
  let message = fullest
  for (const form of shorter) {
    if (bytesOf(message) <= LIMITS.messageBytes - addedBytes) break
    message = form()
  }
  return message
}

/** Codes with which Slack refuses a message for its blocks, or for their size. It was shown to nobody then. */
export const isAboutBlocks = (code: string | undefined): boolean =>
  /^(invalid_(blocks|attachments)|msg_(blocks_)?too_long|too_many_(blocks|attachments)|only_one_table_allowed)/.test(
    code ?? '',
  )

/** Of those, the ones that say nothing of what kinds of blocks this Slack takes. */
export const isAboutSize = (code: string | undefined): boolean => /too_(long|many)/.test(code ?? '')

/** A message's `text` of several lines: as many of them as fit, each whole. */
export function textOfLines([first = '', ...more]: readonly string[]): string {
  let text = cut(first, LIMITS.messageText)
  for (const line of more) {
    if (text.length + line.length + 1 > LIMITS.messageText) break
    text += `\n${line}`
  }
  return text
}
