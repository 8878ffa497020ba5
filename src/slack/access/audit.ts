import type { Log } from '../../log.ts'
import type { AuditEntry, AuditTrail } from '../../store/audit-trail.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { joinNames } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import { conversationText, cut, escapeText } from '../blocks/blocks.ts'

const MAX_DETAIL_LENGTH = 200
const MAX_PEOPLE = 10

interface Author {
  readonly person: { readonly id: string }
  readonly tenant: TenantKey
}

type Subject = Omit<AuditEntry, 'at' | 'who' | 'what'>

/** Writes to the log for the operator, and to the store for administrators. */
export class Audit {
  readonly #services

  constructor(services: { trail: AuditTrail; log: Log; now: () => EpochMs }) {
    this.#services = services
  }

  /** @param what completes a sentence that starts with the person, in the past tense @throws {StoreError} */
  async record({ person, tenant }: Author, what: string, subject: Subject = {}): Promise<void> {
    const { trail, log, now } = this.#services
    const detail = formatAuditDetail(subject)
    // The log contains no names of people.
    log.info({ audit: true, action: what, tenant, person: person.id, detail: detail || undefined }, 'audit')
    await trail.add(tenant, { at: now(), who: person.id, what, ...subject })
  }
}

const mentionChannel = (id: string) => (id.startsWith('D') ? 'a direct conversation' : conversationText(id))
const mentionPerson = (id: string) => `<@${escapeText(id)}>`

/** Escapes all but mentions of channels, which the reasons for a stopped schedule contain. */
const formatText = (text: string) =>
  escapeText(cut(text, MAX_DETAIL_LENGTH)).replaceAll(/&lt;#([A-Z0-9]{2,40})&gt;/g, '<#$1>')

/** `channel C1, person U2, each missed call` */
export function formatAuditDetail({ channel, people = [], detail }: Subject): string {
  const parts = people.map((id) => `person ${id}`)
  if (channel) parts.unshift(`channel ${channel}`)
  if (detail) parts.push(detail)
  return parts.join(', ')
}

/** Returns mrkdwn: `time · @Mia set up an alert in #support: each missed call`. */
export function formatAuditLine(entry: AuditEntry, time: string): string {
  const { who, what, channel, people = [], detail = '', name, isAutomatic = false } = entry
  const person = mentionPerson(who)
  let sentence = `${isAutomatic ? `For ${person}, Callboard` : person} ${formatText(what)}`
  if (people.length > 0) sentence += ` ${joinNames(people.map(mentionPerson), { max: MAX_PEOPLE })}`
  if (channel) sentence += ` in ${mentionChannel(channel)}`
  if (detail) sentence += `: ${formatText(detail)}`
  if (name) sentence += ` (${formatText(name)})`
  return `${time} · ${sentence}`
}
