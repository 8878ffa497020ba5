import { auditLine } from '../../slack/access/audit-sentence.ts'
import { pagingRow } from '../../slack/blocks/action.ts'
import {
  actionRow,
  context,
  escapeText,
  header,
  type Message,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import type { AuditEntry } from '../../store/audit.ts'
import { shortDayLabel } from '../../time/days.ts'
import type { LocalDay, Zone } from '../../time/types.ts'
import { localDay, offsetAt, utcText, wallTime, zoneLabel } from '../../time/zones.ts'
import { type CsvColumn, csvRows, writeCsv } from '../../util/csv.ts'
import { auditActions } from './actions.ts'

/** As many as a message's 12,000 characters hold, each with a long detail. */
const perPage = 25

/** What to read for a page from the trail: one more than it shows tells whether there is a next one. */
export const auditRange = (page: number) => ({ skip: (page - 1) * perPage, limit: perPage + 1 })

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

/** `20 Nov 19:33`; the file has the seconds. */
const timeOf = (instant: Date, zone: Zone, today: LocalDay) =>
  `${shortDayLabel(localDay(zone, instant), today)} ${wallTime(zone, instant).slice(11, 16)}`

/** Who did what and when, the newest first. @param found what the trail has of `auditRange` of the page. Pure. */
export function auditMessage(
  found: readonly AuditEntry[],
  { page, zone, now, nonce }: { page: number; zone: Zone; now: Date; nonce: string },
): Message {
  if (found.length === 0 && page === 1) {
    const text = 'Nothing is recorded yet. Who connects, shares, posts or views a SIP password will be.'
    return { text: `Audit log: ${text}`, blocks: [header('Audit log'), section(text)] }
  }
  const entries = found.slice(0, perPage)
  const first = (page - 1) * perPage + 1
  const note =
    entries.length === 0
      ? 'The log ends before this page.'
      : `Page ${page} · entries ${first}–${first + entries.length - 1}, newest first · ${zoneLabel(zone, now)}`
  const next = found.length > perPage ? page + 1 : undefined
  const valueFor = (number: number) => ({ page: number })
  const today = localDay(zone, now)
  const lines = entries.map((entry) => auditLine(entry, timeOf(new Date(entry.at), zone, today)))
  return {
    text: textOfLines([`Audit log. ${escapeText(note)}`, ...lines]),
    blocks: [
      header('Audit log'),
      ...sections(lines),
      ...pagingRow({ action: auditActions.page, page, last: undefined, next, valueFor, nonce }),
      ...actionRow([auditActions.export.button('Export as CSV')]),
      context(escapeText(note)),
    ],
  }
}

export const entryCount = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

/** What stands above the file, in a direct message. @param entries the newest first, at least one. Pure. */
export function auditExportMessage(entries: readonly AuditEntry[], zone: Zone, now: Date): Message {
  const days = [entries.at(-1), entries[0]].flatMap((entry) =>
    entry ? [localDay(zone, new Date(entry.at))] : [],
  )
  const range = [...new Set(days)].join(' to ')
  const text = `Callboard's audit log for this workspace: ${entryCount(entries.length)}, ${range}, times in ${zoneLabel(zone, now)}.`
  return { text: escapeText(text), blocks: [section(escapeText(text))] }
}

/** Once the file is there. mrkdwn. */
export const exportedText = (count: number): string =>
  `I sent you the audit log as a CSV file (${entryCount(count)}). It's in your direct messages with Callboard.`

interface FileSetting {
  readonly zone: Zone
  /** A person's name; empty where it isn't known. */
  readonly nameOf: (id: string) => string
}

const columns: readonly CsvColumn<AuditEntry, FileSetting>[] = [
  {
    title: 'Time',
    text({ at }, { zone }) {
      const instant = new Date(at)
      return `${wallTime(zone, instant)} ${offsetAt(zone, instant)}`
    },
  },
  { title: 'Time (UTC)', text: ({ at }) => utcText(at) },
  { title: 'Person', text: ({ who }, { nameOf }) => nameOf(who) },
  { title: 'Person ID', text: ({ who }) => who },
  { title: 'Action', text: ({ what }) => what },
  { title: 'Detail', text: ({ detail = '', name }) => (name ? `${detail} (${name})` : detail) },
]

/** The audit log as a CSV file. */
export async function auditCsv(entries: readonly AuditEntry[], setting: FileSetting): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  await writeCsv(csvRows(columns, entries, setting), (chunk) => void chunks.push(chunk))
  return Buffer.concat(chunks)
}
