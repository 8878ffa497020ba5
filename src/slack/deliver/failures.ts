import { UndecryptableError } from '../../store/errors.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  TelephonyError,
} from '../../telephony/errors.ts'
import { joinNames } from '../../util/text.ts'
import type { Milliseconds } from '../../util/units.ts'
import {
  AlreadyConnectedError,
  type Managers,
  NotAllowedError,
  NotConnectedError,
  NotInstalledError,
} from '../access/errors.ts'
import type { ChannelState } from '../api/channels.ts'
import type { FileRefusal } from '../api/files.ts'
import { DirectMessageRefusedError, type Unsent } from '../api/post-message.ts'
import { isUselessToken, SlackUnavailableError, TokenRefusedError } from '../api/web-api.ts'
import { escapeText } from '../blocks/blocks.ts'
import { ForgedValueError } from '../blocks/values.ts'

// The one place that turns what went wrong into words for people.

/** The names under which logs and metrics count what went wrong. */
export type FailureKind =
  | 'not-connected'
  | 'already-connected'
  | 'unreadable'
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
  readonly retryAfterMs?: Milliseconds | undefined
  readonly offers?: 'retry' | 'connect' | 'replace-key' | 'filter' | 'help' | 'calls' | undefined
}

export interface FailureContext {
  readonly isAdmin: boolean
  /** What was to be shown, in words for people: `missed calls, 9–15 Nov`; not escaped. */
  readonly request?: string | undefined
  readonly reference: string
  readonly supportUrl?: string | undefined
}

/** mrkdwn. @param words that need no escaping */
export const supportLink = ({ supportUrl }: Pick<FailureContext, 'supportUrl'>, words: string) =>
  supportUrl === undefined ? words : `<${escapeText(supportUrl)}|${words}>`

const nobody: FailureContext = { isAdmin: false, reference: '' }

export const keyRefused = 'The phone service no longer accepts the API key and secret'
const asksToWait = 'The phone service asks Callboard to wait'
const canReconnect = 'An administrator can reconnect it.'
const canReplace = 'An administrator can replace them.'

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
  request === undefined
    ? '.'
    : `, so ${escapeText(request)}${request.includes(', ') ? ',' : ''} couldn't be loaded.`

/** The same, where nothing has a button that asks again. */
const orLater = ({ request }: FailureContext) =>
  request === undefined ? '. Try again in a moment.' : consequence({ request })

function permanent(kind: FailureKind, text: string, pauseText = text, offers?: Failure['offers']): Failure {
  return { kind, text, pauseText, isPermanent: true, offers }
}

function transient(kind: FailureKind, text: string, retryAfterMs?: Milliseconds): Failure {
  return { kind, text, pauseText: text, isPermanent: false, retryAfterMs, offers: 'retry' }
}

function ofTelephony(error: TelephonyError, context: FailureContext): Failure {
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
  return transient('unavailable', `The phone service isn't responding${orLater(context)}`)
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

/** Why something planned is paused whose owner may not see it any more. */
function ownerOutText({ needs }: NotAllowedError): string {
  if (needs === 'member')
    return "Whoever scheduled it isn't a member of this workspace any more. Someone else can resume it."
  const what = needs === 'admin' || needs === 'export' ? 'this' : needs
  return `Whoever scheduled it can't see ${what} any more. Someone who can see it can resume it.`
}

export function describeFailure(error: unknown, context: FailureContext = nobody): Failure {
  if (error instanceof NotConnectedError) {
    const text = context.isAdmin ? notConnectedText : `${notConnectedText} An administrator can connect it.`
    return permanent('not-connected', text, `${notConnectedText} ${canReconnect}`, 'connect')
  }
  if (error instanceof AlreadyConnectedError)
    return permanent('already-connected', 'Connected.', undefined, 'calls')
  if (error instanceof UndecryptableError) {
    const text = context.isAdmin ? unreadableText : `${unreadableText} ${canReconnect}`
    return permanent('unreadable', text, `${unreadableText} ${canReconnect}`, 'connect')
  }
  if (error instanceof NotAllowedError)
    return permanent('not-allowed', notAllowedText(error), ownerOutText(error))
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
    return transient('slack-unavailable', text, error.retryAfterMs)
  }
  if (error instanceof ForgedValueError)
    return permanent('forged', "Sorry, that button can't be used any more.", undefined, 'help')
  const text = `Sorry, something went wrong in Callboard${consequence(context)} If it happens again, send ${supportLink(context, 'whoever runs Callboard')} this reference: ${escapeText(context.reference)}`
  return transient('error', text)
}

const mostPeople = 10

/** The people in mrkdwn, after who Slack says that they are. */
function namesOf({ hasSlackRoles, people }: Managers, roles: string, word: 'and' | 'or'): string {
  const named = people.map((person) => `<@${person}>`)
  return hasSlackRoles
    ? joinNames([roles, ...named], { most: 1 + mostPeople, word })
    : joinNames(named, { most: mostPeople, word })
}

/** Who manages Callboard in a workspace, as a sentence of mrkdwn. */
export function managersSentence(managers: Managers): string {
  const isOne = managers.people.length === 1 && !managers.hasSlackRoles
  const names = namesOf(managers, 'Admins and owners of this workspace', 'and')
  return `${names} ${isOne ? 'manages' : 'manage'} Callboard here.`
}

const whomToAsk = (managers: Managers = { hasSlackRoles: true, people: [] }) =>
  `Ask ${namesOf(managers, 'an admin or owner of this workspace', 'or')}`

export const membersOnlyText =
  'Callboard is for full members of this workspace only. Ask a workspace admin about access.'

const notAllowed: Readonly<Record<Exclude<NotAllowedError['needs'], 'member' | 'admin'>, string>> = {
  calls: "You don't have access to calls in this workspace.",
  export: "You can't export calls in this workspace.",
  recordings: "You don't have access to recordings in this workspace.",
  agents: "You don't have access to agents in this workspace.",
  billing: "You don't have access to billing in this workspace.",
}

/** Why a person may not, and who can help. mrkdwn. */
function notAllowedText({ needs, managers }: NotAllowedError): string {
  if (needs === 'member') return membersOnlyText
  if (needs !== 'admin') return `${notAllowed[needs]} ${whomToAsk(managers)} for access.`
  return `Only administrators can do that. ${whomToAsk(managers)} to do it, or to make you an administrator.`
}

/** Where Slack's answer to a share was lost. */
export const unconfirmedShareText =
  "Slack didn't confirm your share, so it may or may not be in the channel. Look there before you share it again."

export const notInChannelText = "You aren't in that channel. Join it first, or choose another one."

/** Why a channel takes no post, where nothing is formatted, as under a field of a modal. */
export const plainChannelRefusal = (state: Exclude<ChannelState, 'ok'>): string =>
  channelRefusal(state, '').replaceAll('`', '').replace(/^<#>/, 'That channel').replace('<#>', 'that channel')

export function channelRefusal(state: Exclude<ChannelState, 'ok'>, channel: string): string {
  const where = `<#${channel}>`
  switch (state) {
    case 'not-in':
      return `Callboard isn't in ${where}. Invite it there with \`/invite @Callboard\`, then try again.`
    case 'unknown':
      return "Callboard can't see that channel. Invite it there with `/invite @Callboard`, then try again. Nothing can be shared or posted in a group direct message."
    case 'archived':
      return `${where} is archived. Choose another channel, or unarchive it first.`
    case 'shared':
      return `${where} is shared with another company, so nothing from your phone account is shown there. Choose a channel of your own.`
    case 'org-shared':
      return `${where} also belongs to another workspace, so nothing from your phone account is shown there. Choose a channel that only this workspace is in.`
    case 'direct':
      return 'Nothing can be shared or posted in direct messages. Choose a channel. Only you can see replies here.'
  }
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
  /** Whoever set it up can do nothing about it: whoever connected the account is notified too. */
  readonly isOwnerOut: boolean
}

/** Why what goes to a channel by itself is not there: for as long as nobody mends it, or for now. */
export type PostFailure =
  | PermanentFailure
  | { readonly kind: 'transient'; readonly retryAfterMs: Milliseconds | undefined }

export const permanentFailure = (why: string, isOwnerOut = false): PermanentFailure => ({
  kind: 'permanent',
  why,
  isOwnerOut,
})

/** What kept it from being sent; `undefined` for what is no failure of posting, such as a store that does not answer. */
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

/** Why Slack takes no file from Callboard, with what to do. mrkdwn. @param installUrl where the app can be installed anew; none with one workspace's token */
export function fileRefusal(code: FileRefusal, installUrl: string | undefined): string {
  switch (code) {
    case 'missing_scope': {
      const anew =
        installUrl === undefined
          ? 'Whoever runs Callboard can install it in this workspace again and allow it.'
          : `<${escapeText(installUrl)}|Install it again> and allow it.`
      return `The file can't be sent: Callboard has no permission to upload files in this workspace. ${anew}`
    }
    case 'file_uploads_disabled':
    case 'file_uploads_except_images_disabled':
      return "The file can't be sent: this workspace doesn't allow uploads. A workspace owner can allow them in Slack's settings."
    case 'file_type_not_allowed':
      return "The file can't be sent: this workspace doesn't allow CSV files. A workspace owner can allow them in Slack's settings."
    case 'file_upload_size_restricted':
      return "The file can't be sent: this workspace doesn't allow files of this size."
    case 'storage_limit_reached':
      return "The file can't be sent: this workspace's storage in Slack is full. A workspace owner can free up space."
    case 'ekm_access_denied':
      return "The file can't be sent: Slack admins have suspended posting here. Try again once they allow it."
    case 'posting_to_channel_denied':
      return "The file can't be sent: Slack doesn't let Callboard post in its direct message with you. A workspace admin can allow it."
    case 'file_update_failed':
      return "The file can't be sent: Slack couldn't finish the upload. Try again in a few minutes."
  }
}
