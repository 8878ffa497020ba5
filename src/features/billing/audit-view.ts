import { context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import { textOfLines } from '../../slack/blocks/message-size.ts'
import { auditLine } from '../../slack/blocks/shared-blocks.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { Zone } from '../../time/types.ts'
import { wallTime, zoneLabel } from '../../time/zones.ts'

/** Lines in as many sections as Slack's limit for one asks for. */
function sections(lines: readonly string[]) {
  const parts: string[] = []
  for (const line of lines) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + line.length < 2900) parts[parts.length - 1] = `${last}\n${line}`
    else parts.push(line)
  }
  return parts.map(section)
}

/** Who did what and when, the newest first. Pure. */
export function auditMessage(entries: readonly AuditEntry[], zone: Zone, now: Date): Message {
  const note = `The last ${entries.length === 1 ? 'entry' : `${entries.length} entries`}, in ${zoneLabel(zone, now)}. The operator's log has all of them.`
  if (entries.length === 0) {
    const text = 'Nothing has been noted yet. Connecting, settings and SIP passwords that were shown will be.'
    return { text: `Audit log: ${text}`, blocks: [header('Audit log'), section(text)] }
  }
  const lines = entries.map((entry) => auditLine(entry, wallTime(zone, new Date(entry.at))))
  return {
    text: textOfLines([`Audit log. ${escapeText(note)}`, ...lines]),
    blocks: [header('Audit log'), ...sections(lines), context(escapeText(note))],
  }
}
