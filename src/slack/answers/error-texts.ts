import { UndecryptableError } from '../../store/errors.ts'
import { TenantDeletedError } from '../../store/generations.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  ScanInterruptedError,
  TelephonyError,
  TooManyWaitingError,
} from '../../telephony/errors.ts'
import type { Milliseconds } from '../../util/units.ts'
import {
  AlreadyConnectedError,
  NotAllowedError,
  NotConnectedError,
  NotInstalledError,
} from '../access/errors.ts'
import { DirectMessageRefusedError, slackRetryAfterMs } from '../api/post-message.ts'
import { SlackUnavailableError, TokenRefusedError } from '../api/web-api.ts'
import { escapeText } from '../blocks/blocks.ts'
import { ForgedValueError } from '../blocks/values.ts'
import { notAllowedText } from './manager-texts.ts'
import { withProgress } from './progress-texts.ts'

// The one place that turns an error into words for people.

/** The names under which logs and metrics count what went wrong. */
export type FailureKind =
  | 'not-connected'
  | 'already-connected'
  | 'unreadable'
  | 'deleted'
  | 'not-allowed'
  | 'not-installed'
  | 'credentials-rejected'
  | 'refused'
  | 'unavailable'
  | 'busy'
  | 'slack-unavailable'
  | 'message-refused'
  | 'forged'
  | 'error'

export interface Failure {
  readonly kind: FailureKind
  /** For the person who asked. mrkdwn. */
  readonly text: string
  /** Why something planned is paused, for people who did not ask just now. mrkdwn. */
  readonly pauseText: string
  /** The same will fail until somebody has changed something; otherwise it may work another time. */
  readonly isPermanent: boolean
  /** How long the service or Slack asked to wait. */
  readonly retryAfterMs?: Milliseconds | undefined
  /** The button that helps. */
  readonly offers?: 'retry' | 'connect' | 'replace-key' | 'filter' | 'help' | 'calls' | undefined
}

/** Whom the words are for, and what was asked. */
export interface FailureContext {
  readonly isAdmin: boolean
  /** What was to be shown, in words for people: `missed calls, 9–15 Nov`; not escaped. */
  readonly request?: string | undefined
  /** Stands in the log with the error. */
  readonly reference: string
  /** Whom people are sent to. */
  readonly supportUrl?: string | undefined
}

/** mrkdwn. @param words that need no escaping */
export const supportLink = ({ supportUrl }: Pick<FailureContext, 'supportUrl'>, words: string) =>
  supportUrl === undefined ? words : `<${escapeText(supportUrl)}|${words}>`

const nobody: FailureContext = { isAdmin: false, reference: '' }

export const keyRefused = 'The phone service no longer accepts the API key and secret'
const asksToWait = 'The phone service asks us to wait'
const canReconnect = 'An administrator can reconnect it.'
const canReplace = 'An administrator can replace them.'

/** Where nobody has connected one. */
export const notConnectedText = "Callboard isn't connected to your phone account."

/** Where there is a key and secret that can't be decrypted. The operator finds the encryption key's id in the log. */
export const unreadableText =
  "Callboard isn't connected to your phone account any more: the stored API key and secret can't be read."

/** What the service asks for, as the beginning of a sentence. */
export const waitText = (ms: Milliseconds | undefined) => {
  if (ms === undefined) return asksToWait
  const count = Math.ceil(ms / 60_000)
  return `${asksToWait} ${count === 1 ? 'a minute' : `${count} minutes`}`
}

/** What there is not to see because of it, as the end of a sentence. */
const consequence = ({ request }: Pick<FailureContext, 'request'>) =>
  request === undefined ? '.' : `, so I couldn't load ${escapeText(request)}.`

/** The same, where nothing has a button that asks again. */
const orLater = ({ request }: FailureContext) =>
  request === undefined ? '. Try again in a moment.' : consequence({ request })

/** What can only be mended by somebody who does something. */
function permanent(kind: FailureKind, text: string, pauseText = text, offers?: Failure['offers']): Failure {
  return { kind, text, pauseText, isPermanent: true, offers }
}

/** What may work another time. */
function transient(kind: FailureKind, text: string, retryAfterMs?: Milliseconds): Failure {
  return { kind, text, pauseText: text, isPermanent: false, retryAfterMs, offers: 'retry' }
}

function ofTelephony(error: TelephonyError, context: FailureContext): Failure {
  if (error instanceof ScanInterruptedError)
    return withProgress(ofTelephony(error.cause, context), error.progress)
  if (error instanceof CredentialsRejectedError) {
    const text = `${keyRefused}${consequence(context)}${context.isAdmin ? '' : ` ${canReplace}`}`
    return permanent('credentials-rejected', text, `${keyRefused}. ${canReplace}`, 'replace-key')
  }
  if (error instanceof RequestRefusedError) {
    const what = context.request === undefined ? '.' : `: ${escapeText(context.request)}.`
    const details =
      error.operation === 'billing' ? 'billing details' : error.operation === 'agents' ? 'agents' : 'calls'
    const pauseText = `The phone service refused to give the ${details}.`
    return permanent('refused', `The phone service refused this request${what}`, pauseText, 'filter')
  }
  if (error instanceof RateLimitedError) {
    const text = `${waitText(error.retryAfterMs)}${consequence(context)}`
    return transient('unavailable', text, error.retryAfterMs)
  }
  if (error instanceof TooManyWaitingError)
    return transient('busy', `Too many requests from this workspace are waiting${orLater(context)}`)
  return transient('unavailable', `The phone service isn't responding${orLater(context)}`)
}

export const reinstall =
  "Slack no longer accepts Callboard's token. Whoever runs Callboard has to install it in this workspace again."

/** https://docs.slack.dev/reference/methods/chat.postMessage#errors */
function refusedMessageText(code: string, context: FailureContext): string {
  const operator = supportLink(context, 'whoever runs Callboard')
  return code === 'messages_tab_disabled'
    ? `I can't send you a direct message: Callboard's Messages tab is turned off. Ask ${operator} to turn it on in the app's settings.`
    : `Slack doesn't let me send you a direct message (${escapeText(code)}). Ask ${operator} about it.`
}

/** Why something planned is paused whose owner may not see it any more. */
function ownerOutText({ needs }: NotAllowedError): string {
  if (needs === 'member')
    return "Whoever scheduled it isn't a member of this workspace any more. Somebody else may resume it."
  const what = needs === 'admin' || needs === 'export' ? 'this' : needs
  return `Whoever scheduled it can't see ${what} any more. Somebody who can may resume it.`
}

export function describeFailure(error: unknown, context: FailureContext = nobody): Failure {
  if (error instanceof NotConnectedError) {
    const text = context.isAdmin ? notConnectedText : `${notConnectedText} An administrator can connect it.`
    const pauseText = "Callboard isn't connected to your phone account."
    return permanent('not-connected', text, `${pauseText} ${canReconnect}`, 'connect')
  }
  if (error instanceof AlreadyConnectedError)
    return permanent('already-connected', 'Connected.', undefined, 'calls')
  if (error instanceof UndecryptableError) {
    const text = context.isAdmin ? unreadableText : `${unreadableText} ${canReconnect}`
    return permanent('unreadable', text, `${unreadableText} ${canReconnect}`, 'connect')
  }
  if (error instanceof TenantDeletedError) {
    const text =
      'Everything Callboard kept of this workspace was deleted in the meantime, so nothing was stored.'
    return permanent('deleted', text)
  }
  if (error instanceof NotAllowedError) {
    return permanent('not-allowed', notAllowedText(error), ownerOutText(error))
  }
  if (error instanceof NotInstalledError) {
    const text = "Callboard isn't installed in your workspace. Ask a workspace admin to install it."
    return permanent('not-installed', text, reinstall)
  }
  if (error instanceof TelephonyError) return ofTelephony(error, context)
  if (error instanceof TokenRefusedError) {
    const text =
      'Slack no longer lets Callboard into your workspace. Ask a workspace admin to install it again.'
    return permanent('not-installed', text, reinstall)
  }
  if (error instanceof DirectMessageRefusedError)
    return permanent('message-refused', refusedMessageText(error.code, context))
  if (error instanceof SlackUnavailableError) {
    const text = `Slack didn't respond in time${orLater(context)}`
    return transient('slack-unavailable', text, slackRetryAfterMs(error.cause))
  }
  if (error instanceof ForgedValueError)
    return permanent('forged', "Sorry, that button can't be used any more.", undefined, 'help')
  const text = `Sorry, something went wrong on our side${consequence(context)} If it happens again, tell ${supportLink(context, 'whoever runs Callboard')} this reference: ${escapeText(context.reference)}`
  return transient('error', text)
}
