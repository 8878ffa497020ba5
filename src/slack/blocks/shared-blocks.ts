import type { types } from '@slack/bolt'
import type { AuditEntry } from '../../store/audit.ts'
import { auditSentence } from './audit-sentence.ts'
import { type Block, context, cut, escapeText, LIMITS } from './blocks.ts'
import { commandButton } from './command-button.ts'

// What several features show in the same words.

/** For where there is nothing more to do. */
export const showCallsButton: types.Button = commandButton('show-calls', 'Show calls', '/calls')

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
