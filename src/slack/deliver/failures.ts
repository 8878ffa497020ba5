import type { types } from '@slack/bolt'
import { UnreadableRecordError } from '../../store/errors.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
  TelephonyError,
} from '../../telephony/types.ts'
import { joinNames } from '../../util/text.ts'
import type { Milliseconds } from '../../util/units.ts'
import { type Managers, NotAllowedError, NotInstalledError } from '../access/guards.ts'
import { NotConnectedError } from '../access/workspaces.ts'
import type { ChannelState } from '../api/channels.ts'
import { FileRefusedError } from '../api/files.ts'
import {
  DirectMessageRefusedError,
  isUselessToken,
  SlackUnavailableError,
  TokenRefusedError,
  type Unsent,
} from '../api/web-api.ts'
import { commandButton, connectButton, ForgedValueError, replaceKeyButton } from '../blocks/action.ts'
import { actionRow, context, escapeText, type Message, section } from '../blocks/blocks.ts'

// This is the only place that turns errors into text for people.

/** Names of failures in logs and metrics. */
export type FailureKind =
  | 'not-connected'
  | 'unreadable'
  | 'not-allowed'
  | 'not-installed'
  | 'credentials-rejected'
  | 'refused'
  | 'unavailable'
  | 'slack-unavailable'
  | 'message-refused'
  | 'file-refused'
  | 'forged'
  | 'error'

export interface Failure {
  readonly kind: FailureKind
  /** mrkdwn, for the person who asked. */
  readonly text: string
  /** Why a subscription has stopped, for people who did not ask just now. mrkdwn. */
  readonly pauseText: string
  /** True if the same request will fail until its cause is fixed. */
  readonly isPermanent: boolean
  readonly retryAfterMs?: Milliseconds | undefined
  readonly offers?: 'retry' | 'connect' | 'replace-key' | 'filter' | 'help' | undefined
}

export interface FailureContext {
  readonly isAdmin: boolean
  /** Description of the request, shown if the service refuses it: `missed calls, 9–15 Nov`. Not escaped. */
  readonly request?: string | undefined
  readonly reference: string
  readonly supportUrl?: string | undefined
}

/** Returns mrkdwn. @param words that need no escaping */
export const supportLink = ({ supportUrl }: Pick<FailureContext, 'supportUrl'>, words: string) =>
  supportUrl === undefined ? words : `<${escapeText(supportUrl)}|${words}>`

const nobody: FailureContext = { isAdmin: false, reference: '' }

const keyRefused = 'The phone service no longer accepts the API key and secret'
const asksToWait = 'The phone service asks Callboard to wait'
const canReconnect = 'An administrator can reconnect it.'

export const notConnectedText = "Callboard isn't connected to your phone account."

/** Shown if the stored key and secret can't be decrypted. The log tells the operator the encryption key's id. */
export const unreadableText =
  "Callboard isn't connected to your phone account any more: the stored API key and secret can't be read."

/** Returns the beginning of a sentence. */
const waitText = (ms: Milliseconds | undefined) => {
  if (ms === undefined) return asksToWait
  const count = Math.ceil(ms / 60_000)
  return `${asksToWait} ${count === 1 ? 'a minute' : `${count} minutes`}`
}

function permanent(kind: FailureKind, text: string, more: Partial<Failure> = {}): Failure {
  return { kind, text, pauseText: text, isPermanent: true, ...more }
}

function transient(kind: FailureKind, text: string, retryAfterMs?: Milliseconds): Failure {
  return { kind, text, pauseText: text, isPermanent: false, retryAfterMs, offers: 'retry' }
}

const refusedContent = {
  incoming: 'calls',
  outgoing: 'calls',
  agents: 'agents',
  billing: 'billing details',
  invoices: 'invoices',
} as const

function apologyText(context: FailureContext): string {
  const operator = supportLink(context, 'whoever runs Callboard')
  return `Sorry, something went wrong in Callboard. If it happens again, send ${operator} this reference: ${escapeText(context.reference)}`
}

function describeTelephonyError(error: TelephonyError, context: FailureContext): Failure {
  const { isAdmin, request } = context
  if (error instanceof CredentialsRejectedError) {
    const pauseText = `${keyRefused}. An administrator can replace them.`
    const text = isAdmin ? `${keyRefused}.` : pauseText
    return permanent('credentials-rejected', text, { pauseText, offers: 'replace-key' })
  }
  if (error instanceof RequestRefusedError) {
    const subject = request === undefined ? '' : `: ${escapeText(request)}`
    return permanent('refused', `The phone service refused this request${subject}.`, {
      pauseText: `The phone service refused to give the ${refusedContent[error.operation]}.`,
      offers: 'filter',
    })
  }
  if (error instanceof RateLimitedError)
    return transient('unavailable', `${waitText(error.retryAfterMs)}.`, error.retryAfterMs)
  const unavailable = transient('unavailable', "The phone service isn't responding. Try again in a moment.")
  const isUnexpected =
    error instanceof ServiceUnavailableError && error.reason === 'status' && Number(error.status) < 500
  return isUnexpected ? { ...unavailable, text: apologyText(context) } : unavailable
}

export const reinstall =
  "Slack no longer accepts Callboard's token. Whoever runs Callboard has to install it in this workspace again."

/** https://docs.slack.dev/reference/methods/chat.postMessage#errors */
function refusedMessageText(code: string, context: FailureContext): string {
  const operator = supportLink(context, 'whoever runs Callboard')
  return code === 'messages_tab_disabled'
    ? `Callboard's Messages tab is turned off, so it can't send you a direct message. Ask ${operator} to turn it on in the app's settings.`
    : `Slack doesn't let Callboard send you a direct message (${escapeText(code)}). Ask ${operator} about it.`
}

/** Why a subscription has stopped whose owner lost access. */
function lostAccessText({ needs }: NotAllowedError): string {
  if (needs === 'member')
    return "Whoever set it up isn't a member of this workspace any more. Someone else can turn it on."
  const what = needs === 'admin' || needs === 'export' ? 'this' : needs
  return `Whoever set it up can't see ${what} any more. Someone who can see it can turn it on.`
}

function describeSlackError(error: Error, context: FailureContext): Failure | undefined {
  if (error instanceof NotInstalledError) {
    const text = "Callboard isn't installed in your workspace. Ask a workspace admin to install it."
    return permanent('not-installed', text, { pauseText: reinstall })
  }
  if (error instanceof TokenRefusedError) {
    const text =
      'Slack no longer lets Callboard into your workspace. Ask a workspace admin to install it again.'
    return permanent('not-installed', text, { pauseText: reinstall })
  }
  if (error instanceof DirectMessageRefusedError)
    return permanent('message-refused', refusedMessageText(error.code, context))
  if (error instanceof FileRefusedError) {
    const text = `Slack refused the file (${escapeText(error.code)}). Ask a Slack administrator.`
    return permanent('file-refused', text, { offers: 'retry' })
  }
  if (error instanceof SlackUnavailableError)
    return transient(
      'slack-unavailable',
      "Slack didn't respond in time. Try again in a moment.",
      error.retryAfterMs,
    )
  if (error instanceof ForgedValueError)
    return permanent('forged', "Sorry, that button can't be used any more.", { offers: 'help' })
  return undefined
}

export function describeFailure(error: unknown, context: FailureContext = nobody): Failure {
  if (error instanceof NotConnectedError) {
    const text = context.isAdmin ? notConnectedText : `${notConnectedText} An administrator can connect it.`
    const pauseText = `${notConnectedText} ${canReconnect}`
    return permanent('not-connected', text, { pauseText, offers: 'connect' })
  }
  if (error instanceof UnreadableRecordError) {
    const pauseText = `${unreadableText} ${canReconnect}`
    const text = context.isAdmin ? unreadableText : pauseText
    return permanent('unreadable', text, { pauseText, offers: 'connect' })
  }
  if (error instanceof NotAllowedError)
    return permanent('not-allowed', notAllowedText(error), { pauseText: lostAccessText(error) })
  if (error instanceof TelephonyError) return describeTelephonyError(error, context)
  const ofSlack = error instanceof Error ? describeSlackError(error, context) : undefined
  if (ofSlack) return ofSlack
  return transient('error', apologyText(context))
}

const MAX_LISTED_MANAGERS = 10

/** Returns mrkdwn: first the roles in Slack, then the people. */
function formatManagers(
  { hasSlackRoles, people }: Managers,
  roles: string,
  conjunction: 'and' | 'or',
): string {
  const named = people.map((person) => `<@${person}>`)
  return hasSlackRoles
    ? joinNames([roles, ...named], { max: 1 + MAX_LISTED_MANAGERS, conjunction })
    : joinNames(named, { max: MAX_LISTED_MANAGERS, conjunction })
}

/** Returns a mrkdwn sentence that says who manages Callboard in a workspace. */
export function managersSentence(managers: Managers): string {
  const isOne = managers.people.length === 1 && !managers.hasSlackRoles
  const names = formatManagers(managers, 'Admins and owners of this workspace', 'and')
  return `${names} ${isOne ? 'manages' : 'manage'} Callboard here.`
}

const whomToAsk = (managers: Managers = { hasSlackRoles: true, people: [] }) =>
  `Ask ${formatManagers(managers, 'an admin or owner of this workspace', 'or')}`

export const membersOnlyText =
  'Callboard is for full members of this workspace only. Ask a workspace admin about access.'

/** Returns mrkdwn that says what a person may not do and who can help. */
function notAllowedText({ needs, managers }: NotAllowedError): string {
  if (needs === 'member') return membersOnlyText
  const ask = whomToAsk(managers)
  if (needs === 'admin')
    return `Only administrators can do that. ${ask} to do it, or to make you an administrator.`
  const denied = needs === 'export' ? "You can't export calls" : `You don't have access to ${needs}`
  return `${denied} in this workspace. ${ask} for access.`
}

/** Shown if Slack's response to a share was lost. */
export const unconfirmedShareText =
  "Slack didn't confirm your share, so it may or may not be in the channel. Look there before you share it again."

export const notInChannelText = "You aren't in that channel. Join it first, or choose another one."

/** Explains in plain text why a channel takes no post, for the error under a field. */
export const plainChannelRefusal = (state: Exclude<ChannelState, 'ok'>): string =>
  channelRefusal(state, '').replaceAll('`', '').replace(/^<#>/, 'That channel').replace('<#>', 'that channel')

export function channelRefusal(state: Exclude<ChannelState, 'ok'>, channel: string): string {
  const where = `<#${channel}>`
  const texts: Readonly<Record<typeof state, string>> = {
    'not-in': `Callboard isn't in ${where}. Invite it there with \`/invite @Callboard\`, then try again.`,
    unknown:
      "Callboard can't see that channel. Invite it there with `/invite @Callboard`, then try again. Nothing can be shared or posted in a group direct message.",
    archived: `${where} is archived. Choose another channel, or unarchive it first.`,
    shared: `${where} is shared with another company, so nothing from your phone account is shown there. Choose a channel of your own.`,
    'org-shared': `${where} also belongs to another workspace, so nothing from your phone account is shown there. Choose a channel that only this workspace is in.`,
    direct:
      'Nothing can be shared or posted in direct messages. Choose a channel. Only you can see replies here.',
  }
  return texts[state]
}

/** https://docs.slack.dev/reference/methods/chat.postMessage#errors, …/chat.update#errors */
const postRefusals: Readonly<Record<string, string>> = {
  channel_not_found:
    "Callboard can't see that channel any more. Choose another one, or invite it there with `/invite @Callboard`.",
  not_in_channel:
    "Callboard isn't in that channel any more. Invite it there with `/invite @Callboard`, then try again.",
  is_archived: 'That channel is archived. Choose another one, or unarchive it first.',
  is_inactive: 'That channel is archived or gone. Choose another one.',
  restricted_action_read_only_channel: 'That channel is read-only. Choose another one.',
  restricted_action_thread_only_channel: 'That channel only takes replies in threads. Choose another one.',
}

const restrictedText =
  "Slack lets only some people post in that channel, and Callboard isn't one of them. A workspace admin can change who can post there, or you can choose another channel."

function refusedPostText(code: string): string {
  if (isUselessToken(code)) return reinstall
  const other = `Slack refused the post (${escapeText(code)}). Ask whoever runs Callboard about it.`
  return postRefusals[code] ?? (code.startsWith('restricted_action') ? restrictedText : other)
}

export const unsentText = (result: Exclude<Unsent, { kind: 'unknown' }>): string =>
  result.kind === 'refused' ? refusedPostText(result.code) : "Slack isn't accepting messages right now."

export interface PermanentFailure {
  readonly kind: 'permanent'
  /** mrkdwn. */
  readonly why: string
  /** True if the owner can't fix it: the person who connected the account is notified too. */
  readonly isOwnerOut: boolean
}

/** Reason why a subscription's post is missing. `permanent`: until its cause is fixed. */
export type PostFailure =
  | PermanentFailure
  | { readonly kind: 'transient'; readonly retryAfterMs: Milliseconds | undefined }

export const permanentFailure = (why: string, isOwnerOut = false): PermanentFailure => ({
  kind: 'permanent',
  why,
  isOwnerOut,
})

/** Returns undefined if posting isn't what failed, e.g. if the store is down. */
export function failureOfError(error: unknown): PostFailure | undefined {
  const { kind, isPermanent, pauseText, retryAfterMs } = describeFailure(error)
  if (kind === 'error') return undefined
  return isPermanent
    ? permanentFailure(pauseText, kind === 'not-allowed')
    : { kind: 'transient', retryAfterMs }
}

export const failureOfResult = (result: Exclude<Unsent, { kind: 'unknown' }>): PostFailure =>
  result.kind === 'refused'
    ? permanentFailure(refusedPostText(result.code))
    : { kind: 'transient', retryAfterMs: result.retryAfterMs }

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
): { readonly message: Message } {
  const offered = fallback && buttonFor(offers, isAdmin, fallback)
  const support = supportUrl === undefined ? '' : ` · ${supportLink({ supportUrl }, 'Support')}`
  const hasNote = KINDS_WITH_REFERENCE.includes(kind) && !text.includes(reference)
  const note = hasNote ? [context(`Ref ${escapeText(reference)}${support}`)] : []
  const blocks = [section(text), ...actionRow(offered ? [offered] : []), ...note]
  return { message: { text, blocks } }
}
