import type { types } from '@slack/bolt'
import { commandButton, connectButton, replaceKeyButton } from '../blocks/action.ts'
import {
  actionRow,
  attribution,
  type Block,
  context,
  escapeText,
  type Message,
  section,
} from '../blocks/blocks.ts'
import { type Failure, type FailureContext, supportLink } from './failures.ts'

/** A message and smaller variants of it, for workspaces that reject the ones before. */
export interface MessageForms {
  readonly message: Message
  /** Without its chart, then as plain lines; best first. */
  readonly otherwise?: readonly (() => Message)[]
}

export interface Answer extends MessageForms {
  /** Shown to everyone in the channel instead of only the person who asked. */
  readonly isPublic?: boolean
  /** Runs after the answer was sent or failed, e.g. to prefetch the next page. Must not reject. */
  readonly afterwards?: () => Promise<void>
}

/** Announces that the answer takes a while; later calls have no effect. Takes escaped mrkdwn. Never throws. */
export type OnProgress = (mrkdwn: string) => void

export type MakeAnswer = (onProgress: OnProgress) => Promise<Answer | undefined>

/** Takes escaped mrkdwn. */
export const textAnswer = (mrkdwn: string): Answer => ({
  message: { text: mrkdwn, blocks: [section(mrkdwn)] },
})

/** Adds to each variant of a post who posted it. @param more blocks below that */
export function attributed(
  { message, otherwise = [] }: MessageForms,
  name: string,
  how: 'Posted' | 'Scheduled' = 'Posted',
  more: readonly Block[] = [],
): MessageForms {
  const extend = ({ text, blocks = [] }: Message): Message => ({
    text,
    blocks: [...blocks, attribution(name, how), ...more],
  })
  return { message: extend(message), otherwise: otherwise.map((make) => () => extend(make())) }
}

/** Starts work. `notice` resolves to its first announcement, or to undefined if the work ends without one. */
export function begin<Result>(make: (onProgress: OnProgress) => Promise<Result>) {
  const { promise: notice, resolve } = Promise.withResolvers<Answer | undefined>()
  const making = make((mrkdwn) => resolve(textAnswer(mrkdwn)))
  const end = () => resolve(undefined)
  making.then(end, end)
  return { making, notice }
}

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
  const help = commandButton('help', 'Help', '/callboard help')
  const buttons = {
    retry,
    connect: isAdmin ? connectButton('Connect…', 'primary') : undefined,
    'replace-key': isAdmin ? replaceKeyButton('primary') : undefined,
    filter: filter ?? help,
    help,
  }
  return offers && buttons[offers]
}

/** Failures whose cause the reference helps to find in the log. */
const KINDS_WITH_REFERENCE: readonly Failure['kind'][] = ['unavailable', 'slack-unavailable', 'refused']

/**
 * Renders a failure with the button that helps.
 * @param fallback set by the handler; undefined if the person wasn't admitted, since every button would fail alike
 */
export function apology(
  { kind, text, offers }: Failure,
  { isAdmin, reference, supportUrl }: FailureContext,
  fallback: ApologyOffers | undefined,
): Answer {
  const offered = fallback && buttonFor(offers, isAdmin, fallback)
  const support = supportUrl === undefined ? '' : ` · ${supportLink({ supportUrl }, 'Support')}`
  const hasNote = KINDS_WITH_REFERENCE.includes(kind) && !text.includes(reference)
  const note = hasNote ? [context(`Ref ${escapeText(reference)}${support}`)] : []
  const blocks = [section(text), ...actionRow(offered ? [offered] : []), ...note]
  return { message: { text, blocks } }
}
