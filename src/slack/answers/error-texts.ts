import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  TelephonyError,
  TooManyWaitingError,
} from '../../telephony/errors.ts'
import { button, context, escapeText, type Message, section } from '../blocks/blocks.ts'
import {
  ForgedValueError,
  NotAllowedError,
  NotConnectedError,
  NotInstalledError,
  SlackUnavailableError,
  TokenRefusedError,
} from '../blocks/errors.ts'

export interface ApologyContext {
  /** Stands in the log with the error. */
  readonly reference: string
  readonly isAdmin: boolean
  /** A button that asks for the same again. */
  readonly retry?: { readonly actionId: string; readonly value: string } | undefined
  /** What was asked, in words for people; not escaped. */
  readonly asked?: string | undefined
}

/** The names under which logs count what became of an interaction. */
export type Outcome =
  | 'ok'
  | 'not-connected'
  | 'not-allowed'
  | 'not-installed'
  | 'credentials-rejected'
  | 'refused'
  | 'unavailable'
  | 'busy'
  | 'slack-unavailable'
  | 'forged'
  | 'error'

interface Words {
  readonly outcome: Outcome
  readonly text: string
  readonly offers?: 'retry' | 'connect'
}

const minutes = (ms: number) => {
  const count = Math.ceil(ms / 60_000)
  return count === 1 ? 'a minute' : `${count} minutes`
}

const grant = 'An admin can give you access with `/billing settings`.'
const refusals: Readonly<Record<NotAllowedError['needs'], string>> = {
  admin:
    'Only admins and owners of this workspace can do that. Ask one of them to do it, or to make you an admin.',
  member: 'Callboard is for full members of this workspace only. An admin can make you one.',
  calls: `Calls are not shown to everyone in this workspace. ${grant}`,
  agents: `Agents are not shown to everyone in this workspace. ${grant}`,
  billing: `Billing is not shown to everyone in this workspace. ${grant}`,
}

function toWords(error: unknown, { isAdmin, reference, asked }: ApologyContext): Words {
  if (error instanceof NotConnectedError) {
    const text = isAdmin
      ? 'Callboard is not connected to your telephony account yet. Connect it with its key and secret.'
      : 'Callboard is not connected to your telephony account yet. An admin of this workspace can connect it with `/calls connect`.'
    return { outcome: 'not-connected', text, offers: 'connect' }
  }
  if (error instanceof NotAllowedError) {
    return { outcome: 'not-allowed', text: refusals[error.needs] }
  }
  if (error instanceof NotInstalledError) {
    return {
      outcome: 'not-installed',
      text: 'Callboard is not installed in your workspace. An admin can install it there.',
    }
  }
  if (error instanceof CredentialsRejectedError) {
    const who = isAdmin ? 'Reconnect with a new pair.' : 'An admin can reconnect with `/calls connect`.'
    return {
      outcome: 'credentials-rejected',
      text: `The telephony service no longer accepts the key and secret. ${who}`,
      offers: 'connect',
    }
  }
  if (error instanceof RequestRefusedError) {
    const what = asked === undefined ? 'what was asked' : `what was asked: ${escapeText(asked)}`
    return {
      outcome: 'refused',
      text: `The telephony service refused ${what}. \`/callboard help\` shows what can be asked.`,
    }
  }
  if (error instanceof RateLimitedError && error.retryAfterMs !== undefined) {
    const text = `The telephony service is unavailable: it asks us to wait ${minutes(error.retryAfterMs)}. Please try again then.`
    return { outcome: 'unavailable', text, offers: 'retry' }
  }
  if (error instanceof TooManyWaitingError) {
    const text =
      'Too many requests of this workspace are waiting at the moment. Please wait a little and try again.'
    return { outcome: 'busy', text, offers: 'retry' }
  }
  if (error instanceof TelephonyError) {
    return {
      outcome: 'unavailable',
      text: 'The telephony service is unavailable right now. Please try again in a moment.',
      offers: 'retry',
    }
  }
  if (error instanceof TokenRefusedError) {
    return {
      outcome: 'not-installed',
      text: 'Slack no longer lets Callboard into your workspace. An admin can install it there again.',
    }
  }
  if (error instanceof SlackUnavailableError) {
    return {
      outcome: 'slack-unavailable',
      text: "Slack didn't answer Callboard in time. Please try again in a moment.",
      offers: 'retry',
    }
  }
  if (error instanceof ForgedValueError) {
    return {
      outcome: 'forged',
      text: "Sorry, that button can't be used any more. Please ask again with its command.",
    }
  }
  return {
    outcome: 'error',
    text: `Sorry, something went wrong on our side. If it happens again, tell whoever runs Callboard this reference: ${escapeText(reference)}`,
    offers: 'retry',
  }
}

/** The one place that turns an error into words for people. */
export function apologize(
  error: unknown,
  given: ApologyContext,
): { readonly outcome: Outcome; readonly message: Message } {
  const { outcome, text, offers } = toWords(error, given)
  const buttons = [
    ...(offers === 'retry' && given.retry ? [button(given.retry.actionId, 'Retry', given.retry.value)] : []),
    ...(offers === 'connect' && given.isAdmin
      ? [button('setup.connect', 'Connect', 'connect', 'primary')]
      : []),
  ]
  const reference = outcome === 'unavailable' ? [context(`Reference ${escapeText(given.reference)}`)] : []
  const actions = buttons.length > 0 ? [{ type: 'actions' as const, elements: buttons }] : []
  return { outcome, message: { text, blocks: [section(text), ...reference, ...actions] } }
}
