import type { AuditEntry } from '../../store/audit.ts'
import { joinNames } from '../../util/text.ts'
import { cut, escapeText, placeText } from '../blocks/blocks.ts'

// Limits keep every page of the log within the size of a message.
const MAX_DETAIL = 200
const MAX_PEOPLE = 10

const mentionChannel = (id: string) => (id.startsWith('D') ? 'a direct conversation' : placeText(id))
const mentionPerson = (id: string) => `<@${escapeText(id)}>`

/** Escapes a text, except for mentions of channels, as in the reason why a schedule was paused. */
const formatText = (text: string) =>
  escapeText(cut(text, MAX_DETAIL)).replaceAll(/&lt;#([A-Z0-9]{2,40})&gt;/g, '<#$1>')

/** Describes an entry for logs and files: `channel C1, person U1, person U2, detail`. */
export const auditDetail = ({
  channel,
  people = [],
  detail,
}: Pick<AuditEntry, 'channel' | 'people' | 'detail'>): string =>
  [channel && `channel ${channel}`, ...people.map((id) => `person ${id}`), detail].filter(Boolean).join(', ')

/** Formats an entry as mrkdwn: `time · @who · action · #channel · detail`. @param time for people */
export function auditLine(entry: AuditEntry, time: string): string {
  const { who, what, channel, people = [], detail = '', name, isAutomatic = false } = entry
  const parts = [
    time,
    mentionPerson(who),
    `${formatText(what)}${isAutomatic ? ' (automatic)' : ''}`,
    channel && mentionChannel(channel),
    joinNames(people.map(mentionPerson), { most: MAX_PEOPLE }),
    `${formatText(detail)}${name ? ` (${formatText(name)})` : ''}`,
  ]
  return parts.filter(Boolean).join(' · ')
}
