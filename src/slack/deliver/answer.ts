import type { types } from '@slack/bolt'
import { actionRow, context, escapeText, type Message, section } from '../blocks/blocks.ts'
import { commandButton, showCallsButton } from '../blocks/command-button.ts'
import { connectButton, replaceKeyButton } from '../blocks/links.ts'
import { type Failure, type FailureContext, supportLink } from './failures.ts'

/** A message in its forms: the best one, and the same otherwise, each for where Slack takes none before it. */
export interface MessageForms {
  readonly message: Message
  /** Shorter ones, without what Slack may refuse (a chart, a table) and shorter again, best first. */
  readonly otherwise?: readonly (() => Message)[]
}

export interface Answer extends MessageForms {
  /** Everyone in the channel sees it, rather than the asking person alone. */
  readonly isPublic?: boolean
  /** Work for once it has left, or could not: fetching the next page ahead, or what would cut off its way. Rejects never. */
  readonly afterwards?: () => Promise<void>
}

/**
 * Says what is going on while the answer takes its time: once where a message will be the answer, and in a modal as often as
 * it is called, each text in place of the one before. `mrkdwn` must be escaped. Throws never.
 */
export type OnProgress = (mrkdwn: string) => void

export type MakeAnswer = (onProgress: OnProgress) => Promise<Answer | undefined>

/** `mrkdwn` must be escaped already where it holds anybody's data. */
export const textAnswer = (mrkdwn: string): Answer => ({
  message: { text: mrkdwn, blocks: [section(mrkdwn)] },
})

/** Buttons that an apology can offer, and a description of the request. */
export interface ApologyOffers {
  readonly retry?: types.Button
  /** Changes the request, if the service refused it. */
  readonly filter?: types.Button
  /** Shown if the service refuses the request: `missed calls, 9–15 Nov`. Not escaped. */
  readonly request?: string
}

function buttonFor(
  offers: Failure['offers'],
  isAdmin: boolean,
  { retry, filter }: ApologyOffers,
): types.Button | undefined {
  switch (offers) {
    case 'retry':
      return retry
    case 'connect':
      return isAdmin ? connectButton('Connect…', 'primary') : undefined
    case 'replace-key':
      return isAdmin ? replaceKeyButton('primary') : undefined
    case 'filter':
      return filter ?? helpButton
    case 'help':
      return helpButton
    case 'calls':
      return showCallsButton
  }
  return undefined
}

const helpButton = commandButton('help', 'Help', '/callboard help')

/** Where the reference helps to find what happened, which the person can only wait for. */
const withReference: readonly Failure['kind'][] = ['unavailable', 'slack-unavailable', 'refused']

/**
 * The words for what went wrong, with the button that helps.
 * @param fallback what the handler set; `undefined` where nobody was let in, to whom every button would answer the same
 */
export function apology(
  { kind, text, offers }: Failure,
  { isAdmin, reference, supportUrl }: FailureContext,
  fallback: ApologyOffers | undefined,
): Answer {
  const offered = fallback && buttonFor(offers, isAdmin, fallback)
  const support = supportUrl === undefined ? '' : ` · ${supportLink({ supportUrl }, 'Support')}`
  const note = withReference.includes(kind) ? [context(`Ref ${escapeText(reference)}${support}`)] : []
  const blocks = [section(text), ...actionRow(offered ? [offered] : []), ...note]
  return { message: { text, blocks } }
}
