import { actionRow, button, context, escapeText, type Message, section } from '../blocks/blocks.ts'
import { connectButton } from '../blocks/shared-blocks.ts'
import { type Failure, type FailureContext, supportLink } from './error-texts.ts'

/** A message, and the same in shorter forms, the shortest last, for where it is too long for Slack. */
export interface MessageForms {
  readonly message: Message
  readonly shorter?: readonly (() => Message)[]
}

/** What a handler answers the asking person with. */
export interface Answer extends MessageForms {
  /** Makes the same without a table, for where Slack refuses tables. Exactly where `message` holds one. */
  readonly withoutTable?: () => MessageForms
  /** Where it goes on a click: in place of the message (unless said otherwise), below it, or to everyone in the channel. */
  readonly place?: 'replace' | 'below' | 'channel'
  /** Work for after the person has the answer, such as fetching the next page ahead. */
  readonly afterwards?: () => void
  /** What would cut off its way, done once it has left, or could not. Rejects never. */
  readonly lastly?: () => Promise<void>
}

/** `mrkdwn` must be escaped already where it holds anybody's data. */
export const textAnswer = (mrkdwn: string): Answer => ({
  message: { text: mrkdwn, blocks: [section(mrkdwn)] },
})

/** What an apology can offer, should an interaction fail. */
export interface Fallback {
  /** A button that asks for the same again. */
  readonly retry?: { readonly actionId: string; readonly value: string }
  /** What was asked, in words for people; not escaped. */
  readonly request?: string
}

/** The words for what went wrong, with the button that helps. */
export function apology(
  failure: Failure,
  { isAdmin, reference, supportUrl }: FailureContext,
  { retry }: Fallback,
): Answer {
  const { kind, text, offers } = failure
  const buttons = [
    ...(offers === 'retry' && retry ? [button(retry.actionId, 'Retry', retry.value)] : []),
    ...(offers === 'connect' && isAdmin ? [connectButton('Connect', 'primary')] : []),
  ]
  const support = supportUrl === undefined ? '' : ` · ${supportLink({ supportUrl }, 'Support')}`
  const note = kind === 'unavailable' ? [context(`Reference ${escapeText(reference)}${support}`)] : []
  return { message: { text, blocks: [section(text), ...note, ...actionRow(buttons)] } }
}
