import type { AuditEntry } from '../../store/audit.ts'
import { cut, escapeText } from './blocks.ts'

/** One entry in a line of mrkdwn, ids of channels and people as mentions. @param time as people read it */
export function auditLine({ who, what, detail }: AuditEntry, time: string): string {
  const did = escapeText(cut([what, detail].filter(Boolean).join(', '), 200))
  return `${time} · <@${escapeText(who)}> · ${did.replaceAll(/\bchannel ([A-Z0-9]{2,40})\b/g, 'channel <#$1>')}`
}
