import { isUnreadable, UnreadableRecordError } from '../../store/errors.ts'
import * as telephony from '../../telephony/types.ts'
import { capitalize, joinNames } from '../../util/text.ts'
import type { Milliseconds } from '../../util/units.ts'
import { type Managers, NotAllowedError } from '../access/access-rules.ts'
import { NotInstalledError } from '../access/guards.ts'
import { MissingScopeError, reinstallSentence, scopeUses } from '../access/scopes.ts'
import { NotConnectedError } from '../access/workspaces.ts'
import type { ChannelState } from '../api/channels.ts'
import { isUselessToken, type RequestFailure, SlackFailure } from '../api/slack-failure.ts'
import { ForgedValueError } from '../blocks/actions.ts'
import { escapeText } from '../blocks/blocks.ts'

// Errors become texts for people here. Other places only add to them.

export type FailureKind =
  | 'not-connected'
  | 'unreadable'
  | 'not-allowed'
  | 'not-installed'
  | 'credentials-rejected'
  | 'refused'
  | 'unavailable'
  | 'slack-unavailable'
  | 'slack-refused'
  | 'missing-scope'
  | 'forged'
  | 'error'

export interface Failure {
  readonly kind: FailureKind
  /** mrkdwn, for the person who asked. */
  readonly text: string
  /** mrkdwn, for notices and forms, which have no buttons. */
  readonly why: string
  /** True if the same request will fail until its cause is fixed. */
  readonly isPermanent: boolean
  readonly retryAfterMs?: Milliseconds | undefined
  readonly offer?: 'retry' | 'connect' | 'replace-key' | 'filter' | 'help' | undefined
}

interface FailureContext {
  readonly isAdmin: boolean
  /** Shown if the service refuses the request: `missed calls, 9–15 Nov`. Not escaped. */
  readonly request?: string | undefined
  readonly reference: string
  readonly supportUrl?: string | undefined
}

/** Returns mrkdwn. @param words that need no escaping */
export const supportLink = (supportUrl: string | undefined, words: string) =>
  supportUrl === undefined ? words : `<${escapeText(supportUrl)}|${words}>`

const operatorLink = (supportUrl: string | undefined) => supportLink(supportUrl, 'whoever runs Callboard')

export const notConnectedText = "Callboard isn't connected to your phone account."

/** Doesn't name the encryption key: the log does, for the operator. */
export const unreadableText =
  "Callboard isn't connected to your phone account any more: the stored API key and secret can't be read."

function permanent(kind: FailureKind, text: string, more: Partial<Failure> = {}): Failure {
  return { kind, text, why: text, isPermanent: true, ...more }
}

function transient(kind: FailureKind, text: string, more: Partial<Failure> = {}): Failure {
  return { kind, text, why: text, isPermanent: false, offer: 'retry', ...more }
}

/** @param hint whom to ask; administrators get a button instead */
function accountFailure(kind: FailureKind, text: string, hint: string, { isAdmin }: FailureContext): Failure {
  const textWithHint = `${text} ${hint}`
  if (!isAdmin) return permanent(kind, textWithHint)
  const offer = kind === 'credentials-rejected' ? 'replace-key' : 'connect'
  return permanent(kind, text, { why: textWithHint, offer })
}

function apologyText({ supportUrl, reference }: FailureContext): string {
  return `Sorry, something went wrong in Callboard. If it happens again, send ${operatorLink(supportUrl)} this reference: ${escapeText(reference)}`
}

function describeTelephonyError(error: telephony.TelephonyError, context: FailureContext): Failure {
  if (error.outcome === 'credentials-rejected') {
    const text = 'The phone service no longer accepts the API key and secret.'
    return accountFailure('credentials-rejected', text, 'An administrator can replace them.', context)
  }
  if (error.outcome === 'refused') {
    const refusal = 'The phone service refused this request'
    const subject = context.request === undefined ? '' : `: ${escapeText(context.request)}`
    return permanent('refused', `${refusal}${subject}.`, { why: `${refusal}.`, offer: 'filter' })
  }
  if (error.outcome === 'not-continued') {
    const text =
      "The phone service's list doesn't continue: its other pages repeat the first one, so further calls can't be read. Choose fewer days, or ask the phone service about it."
    return transient('unavailable', text, { offer: 'filter' })
  }
  if (error.outcome === 'rate-limited') {
    const text = 'The phone service asks Callboard to wait. Try again later.'
    return transient('unavailable', text, { retryAfterMs: error.retryAfterMs })
  }
  const why = "The phone service isn't responding. Try again in a moment."
  const isOutage = error.outcome !== 'status' || error.status === undefined || error.status >= 500
  if (isOutage) return transient('unavailable', why)
  // A status such as 404 usually persists, so people get a reference. Subscriptions show `why`, as in an outage.
  return transient('unavailable', apologyText(context), { why })
}

const reinstallText =
  "Slack no longer accepts Callboard's token. Whoever runs Callboard has to install it in this workspace again."

const notInstalledFailure = permanent(
  'not-installed',
  "Callboard isn't installed in your workspace. Ask a workspace admin to install it.",
  { why: reinstallText },
)

function describeSlackError(error: unknown, context: FailureContext): Failure | undefined {
  if (error instanceof NotInstalledError) return notInstalledFailure
  if (error instanceof MissingScopeError) {
    const hint = context.isAdmin ? reinstallSentence(error.reinstallUrl) : 'An administrator can allow it.'
    const reason = `Callboard only ${scopeUses[error.scope]} if Slack's permission \`${error.scope}\` is granted.`
    return permanent('missing-scope', `${reason} ${hint}`)
  }
  if (!(error instanceof SlackFailure)) return undefined
  if (isUselessToken(error.code)) return notInstalledFailure
  if (error.code !== undefined) {
    const text = `Slack didn't let Callboard do this (${escapeText(error.code)}). Ask ${operatorLink(context.supportUrl)} about it.`
    return permanent('slack-refused', text)
  }
  const text = "Slack didn't respond in time. Try again in a moment."
  return transient('slack-unavailable', text, { retryAfterMs: error.retryAfterMs })
}

/** For callers that show neither `text` nor a button. */
const NO_CONTEXT: FailureContext = { isAdmin: false, reference: '' }

export function describeFailure(error: unknown, context = NO_CONTEXT): Failure {
  if (error instanceof NotConnectedError)
    return accountFailure('not-connected', notConnectedText, 'An administrator can connect it.', context)
  if (error instanceof UnreadableRecordError)
    return accountFailure('unreadable', unreadableText, 'An administrator can reconnect it.', context)
  if (error instanceof NotAllowedError) return permanent('not-allowed', notAllowedText(error))
  if (error instanceof ForgedValueError)
    return permanent('forged', "Sorry, that button can't be used any more.", { offer: 'help' })
  if (error instanceof telephony.TelephonyError) return describeTelephonyError(error, context)
  return describeSlackError(error, context) ?? transient('error', apologyText(context))
}

function formatManagers({ hasSlackRoles, people }: Managers, roles: string, conjunction: 'and' | 'or') {
  const names = people.map((person) => `<@${person}>`)
  if (hasSlackRoles) names.unshift(roles)
  return joinNames(names, { max: 10, conjunction })
}

export function managersSentence(managers: Managers): string {
  const isOne = managers.people.length === 1 && !managers.hasSlackRoles
  const names = formatManagers(managers, 'Admins and owners of this workspace', 'and')
  return `${names} ${isOne ? 'manages' : 'manage'} Callboard here.`
}

export const membersOnlyText =
  'Callboard answers only full members of this workspace. Ask a workspace admin about access.'

function notAllowedText({ needs, managers = { hasSlackRoles: true, people: [] } }: NotAllowedError): string {
  if (needs === 'member') return membersOnlyText
  const ask = `Ask ${formatManagers(managers, 'an admin or owner of this workspace', 'or')}`
  if (needs === 'admin')
    return `Only administrators can do that. ${ask} to do it, or to make you an administrator.`
  const denied = needs === 'export' ? "You can't export calls" : `You don't have access to ${needs}`
  return `${denied} in this workspace. ${ask} for access.`
}

export const unconfirmedShareText =
  "Slack didn't confirm your share, so it may or may not be in the channel. Look there before you share it again."

/** Returns mrkdwn; without a channel, also plain text for the error under a field. `hidden`: the person isn't in it. */
export function channelRefusal(state: Exclude<ChannelState, 'ok'> | 'hidden', channel?: string): string {
  const where = channel === undefined ? 'that channel' : `<#${channel}>`
  const texts: Readonly<Record<typeof state, string>> = {
    'not-in': `Callboard isn't in ${where}. Invite it there with /invite @Callboard, then try again.`,
    hidden: "You aren't in that channel. Join it first, or choose another one.",
    unknown:
      "Callboard can't see that channel. Invite it there with /invite @Callboard, then try again. Nothing can be shared or posted in a group direct message.",
    archived: `${where} is archived. Choose another channel, or unarchive it first.`,
    shared: `${where} is shared with another company, so nothing from your phone account is shown there. Choose a channel of your own.`,
    'org-shared': `${where} also belongs to another workspace, so nothing from your phone account is shown there. Choose a channel that only this workspace is in.`,
    direct:
      'Nothing can be shared or posted in direct messages. Choose a channel. Only you can see replies here.',
  }
  // A text may begin with "that channel".
  return capitalize(texts[state])
}

/** Slack certainly didn't post the message. */
type NotPosted = Exclude<RequestFailure, { kind: 'unknown' }>

export function unsentText(result: NotPosted): string {
  if (result.kind === 'not-now') return "Slack isn't accepting messages right now."
  const { code } = result
  if (isUselessToken(code)) return reinstallText
  if (code.startsWith('restricted_action'))
    return "Slack lets only some people post in that channel, and Callboard isn't one of them. A workspace admin can change who can post there, or you can choose another channel."
  return `Slack refused the post (${escapeText(code)}). Ask whoever runs Callboard about it.`
}

/** Why an alert or a schedule doesn't post. Only an error has a `kind`. */
export type SubscriptionFailure = Pick<Failure, 'why' | 'isPermanent' | 'retryAfterMs'> &
  Partial<Pick<Failure, 'kind'>>

/** The owner of an alert or a schedule is refused. */
function lostAccessText({ needs }: NotAllowedError): string {
  if (needs === 'member')
    return "Whoever set it up isn't a member of this workspace any more. Anyone in its channel can choose *Edit…* to take it over."
  return `Whoever set it up can't see ${needs} any more. Anyone in its channel who can see ${needs} can choose *Edit…* to take it over.`
}

/** Returns undefined for an unknown error, e.g. of the database: posting isn't what failed. */
export function toSubscriptionFailure(error: unknown): SubscriptionFailure | undefined {
  const failure = describeFailure(error)
  if (failure.kind === 'error') return undefined
  if (error instanceof NotAllowedError) return { ...failure, why: lostAccessText(error) }
  // Alerts and schedules try again by themselves.
  if (failure.kind === 'slack-unavailable') return { ...failure, why: "Slack isn't responding." }
  // Subscriptions must go on by themselves once the missing encryption key of the account or the installation is back.
  if (isUnreadable(error)) return { ...failure, isPermanent: false }
  return failure
}

export function notPostedFailure(result: NotPosted): SubscriptionFailure {
  const why = unsentText(result)
  if (result.kind === 'refused') return { why, isPermanent: true }
  return { why, isPermanent: false, retryAfterMs: result.retryAfterMs }
}
