import type { types } from '@slack/bolt'
import type { AuditEntry } from '../../store/audit.ts'
import { ACTIONS } from './action-ids.ts'
import { auditSentence } from './audit-sentence.ts'
import { type Block, button, context, cut, dangerButton, escapeText, LIMITS } from './blocks.ts'
import { commandButton } from './command-button.ts'

// What several features show in the same words.

/** Opens the modal that asks for key and secret, unless the workspace is connected by the time it is clicked. */
export const connectButton = (text: string, style?: 'primary'): types.Button =>
  button(ACTIONS.connect, text, 'connect', style)

/** For where there is nothing more to do. */
export const showCallsButton: types.Button = commandButton('show-calls', 'Show calls', '/calls')

/** What the button carries that opens that modal whether the workspace is connected or not. */
export const REPLACE_KEY = 'replace'

/** Opens the modal that asks for a new key and secret. */
export const replaceKeyButton = (style?: 'primary'): types.Button =>
  button(ACTIONS.connect, 'Replace key…', REPLACE_KEY, style)

/** What it takes away that the workspace is not connected any more. */
export const disconnectQuestion = {
  title: 'Disconnect the phone account?',
  text: 'Nobody can look up calls, and scheduled posts and missed-call alerts stop, until an administrator reconnects.',
}

/** Deletes the workspace's key and secret. */
export const disconnectButton = (): types.Button =>
  dangerButton(ACTIONS.disconnect, 'Disconnect', 'disconnect', disconnectQuestion)

/** Who had the app put something into a channel: by name, since a mention would notify that person at every post. */
export const attribution = (name: string, how: string): Block =>
  context(escapeText(`${how} by ${cut(name, 80)} with Callboard`))

/** One entry of the audit log in a line of mrkdwn. @param time as people read it */
export const auditLine = (entry: AuditEntry, time: string): string => `${time} · ${auditSentence(entry)}`

/** A name and what the service says of it, as a field of mrkdwn. */
export const fact = (name: string, value: string): string =>
  `*${name}*\n${escapeText(value === '' ? '–' : value)}`

/** At most ten facts, in two columns. */
export const fields = (facts: readonly string[]): Block => ({
  type: 'section',
  fields: facts.map((text) => ({ type: 'mrkdwn', text: text.slice(0, LIMITS.fieldText) })),
})
