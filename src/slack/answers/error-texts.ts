import { UndecryptableError } from '../../store/errors.ts'
import { TenantDeletedError } from '../../store/generations.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
  TelephonyError,
  TooManyWaitingError,
} from '../../telephony/errors.ts'
import type { Milliseconds } from '../../util/units.ts'
import { NotAllowedError, NotConnectedError, NotInstalledError } from '../access/errors.ts'
import { slackRetryAfterMs } from '../api/post-message.ts'
import { SlackUnavailableError, TokenRefusedError } from '../api/web-api.ts'
import { escapeText } from '../blocks/blocks.ts'
import { ForgedValueError } from '../blocks/values.ts'
import { notAllowedText } from './manager-texts.ts'

// The one place that turns an error into words for people.

/** The names under which logs and metrics count what went wrong. */
export type FailureKind =
  | 'not-connected'
  | 'unreadable'
  | 'deleted'
  | 'not-allowed'
  | 'not-installed'
  | 'credentials-rejected'
  | 'refused'
  | 'unavailable'
  | 'busy'
  | 'slack-unavailable'
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
  readonly offers?: 'retry' | 'connect' | undefined
}

/** Whom the words are for, and what was asked. */
export interface FailureContext {
  readonly isAdmin: boolean
  /** What was asked, in words for people; not escaped. */
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

const keyRefused = 'The telephony service no longer accepts the key and secret'
const asksToWait = 'The telephony service asks us to wait'
const refuses = 'The telephony service refused'
const connectAnew = 'An admin of this workspace can connect it anew with `/calls connect`.'
const reconnect = 'An admin can reconnect with `/calls connect`.'

/** Where there is a key and secret that can't be decrypted. The operator finds the encryption key's id in the log. */
export const unreadableText =
  "Callboard is not connected to your telephony account any more: the key and secret that it keeps can't be read."

const minutes = (ms: Milliseconds) => {
  const count = Math.ceil(ms / 60_000)
  return count === 1 ? 'a minute' : `${count} minutes`
}

/** What can only be mended by somebody who does something. */
function permanent(kind: FailureKind, text: string, pauseText = text, offers?: Failure['offers']): Failure {
  return { kind, text, pauseText, isPermanent: true, offers }
}

/** What may work another time. */
function transient(kind: FailureKind, text: string, retryAfterMs?: Milliseconds): Failure {
  return { kind, text, pauseText: text, isPermanent: false, retryAfterMs, offers: 'retry' }
}

function ofTelephony(error: TelephonyError, { isAdmin, request }: FailureContext): Failure {
  if (error instanceof CredentialsRejectedError) {
    const text = `${keyRefused}. ${isAdmin ? 'Reconnect with a new pair.' : reconnect}`
    return permanent('credentials-rejected', text, `${keyRefused}. ${reconnect}`, 'connect')
  }
  if (error instanceof RequestRefusedError) {
    const what = request === undefined ? 'what was asked' : `what was asked: ${escapeText(request)}`
    const text = `${refuses} ${what}. \`/callboard help\` shows what can be asked.`
    return permanent('refused', text, `${refuses} to give the billing details.`)
  }
  if (error instanceof RateLimitedError && error.retryAfterMs !== undefined) {
    const text = `The telephony service is unavailable: it asks us to wait ${minutes(error.retryAfterMs)}. Please try again then.`
    return transient('unavailable', text, error.retryAfterMs)
  }
  if (error instanceof TooManyWaitingError) {
    const text =
      'Too many requests of this workspace are waiting at the moment. Please wait a little and try again.'
    return transient('busy', text)
  }
  const text = 'The telephony service is unavailable right now. Please try again in a moment.'
  return transient('unavailable', text)
}

export const reinstall =
  "Slack no longer accepts Callboard's token. Whoever runs Callboard has to install it in this workspace again."

export function describeFailure(error: unknown, context: FailureContext = nobody): Failure {
  if (error instanceof NotConnectedError) {
    const text = context.isAdmin
      ? 'Callboard is not connected to your telephony account yet. Connect it with its key and secret.'
      : 'Callboard is not connected to your telephony account yet. An admin of this workspace can connect it with `/calls connect`.'
    const pauseText =
      'The workspace is not connected to its telephony account. An admin can connect it with `/calls connect`.'
    return permanent('not-connected', text, pauseText, 'connect')
  }
  if (error instanceof UndecryptableError) {
    const text = context.isAdmin
      ? `${unreadableText} Connect it anew with its key and secret.`
      : `${unreadableText} ${connectAnew}`
    return permanent('unreadable', text, `${unreadableText} ${connectAnew}`, 'connect')
  }
  if (error instanceof TenantDeletedError) {
    const text =
      'Everything that Callboard kept of this workspace was deleted meanwhile, so nothing was kept of this.'
    return permanent('deleted', text)
  }
  if (error instanceof NotAllowedError) {
    const pauseText =
      'The person whose schedule it is may not see billing any more. Somebody who may can resume it.'
    return permanent('not-allowed', notAllowedText(error), pauseText)
  }
  if (error instanceof NotInstalledError) {
    const text = 'Callboard is not installed in your workspace. An admin can install it there.'
    return permanent('not-installed', text, reinstall)
  }
  if (error instanceof TelephonyError) return ofTelephony(error, context)
  if (error instanceof TokenRefusedError) {
    const text = 'Slack no longer lets Callboard into your workspace. An admin can install it there again.'
    return permanent('not-installed', text, reinstall)
  }
  if (error instanceof SlackUnavailableError) {
    const text = "Slack didn't answer Callboard in time. Please try again in a moment."
    return transient('slack-unavailable', text, slackRetryAfterMs(error.cause))
  }
  if (error instanceof ForgedValueError) {
    const text = "Sorry, that button can't be used any more. Please ask again with its command."
    return permanent('forged', text)
  }
  const text = `Sorry, something went wrong on our side. If it happens again, tell ${supportLink(context, 'whoever runs Callboard')} this reference: ${escapeText(context.reference)}`
  return transient('error', text)
}

/** Why a key and secret that an admin has just entered are not kept. */
export function refusedPairText(error: TelephonyError): string {
  if (error instanceof CredentialsRejectedError)
    return 'The telephony service does not accept this key and secret. Nothing was kept.'
  if (error instanceof RequestRefusedError)
    return 'The telephony service refused the request with which this pair was tried (400), so there is no telling whether it is right. Nothing was kept; ask your telephony provider.'
  if (error instanceof TooManyWaitingError)
    return 'Too many requests of this workspace are waiting at the moment, so the pair was not tried. Nothing was kept; please wait a little and try again.'
  if (error instanceof RateLimitedError) {
    const wait = error.retryAfterMs === undefined ? '' : ` ${minutes(error.retryAfterMs)}`
    return `${asksToWait}${wait}, so the pair could not be tried. Nothing was kept; please try again then.`
  }
  return 'The telephony service is unavailable, so the pair could not be tried. Nothing was kept; please try again.'
}

/**
 * What became of the invoice operation: above all whether it may have been carried out. `undefined` for an error that
 * says nothing of it.
 */
export function failedInvoicesText(error: unknown, customerId: string): string | undefined {
  const customer = `customer *${escapeText(customerId)}*`
  if (error instanceof CredentialsRejectedError) return `${keyRefused}, so nothing was done for ${customer}.`
  if (error instanceof RequestRefusedError) return `${refuses} ${customer}. Nothing was done.`
  if (error instanceof RateLimitedError)
    return `${asksToWait}, so nothing was done for ${customer}. Try again later.`
  if (!(error instanceof ServiceUnavailableError)) return undefined
  return error.sent
    ? `The answer was lost, so the operation *may have been carried out* for ${customer}. It is not tried again. Look with your telephony provider before you run it once more.`
    : `The telephony service could not be reached. Nothing was sent for ${customer}; please try again.`
}
