import type { AuditEntry } from '../../store/audit.ts'
import type { Zone } from '../../time/types.ts'
import { offsetAt, utcText, wallTime } from '../../time/zones.ts'
import { type CsvColumn, csvRows, writeCsv } from '../../util/csv.ts'

interface Setting {
  readonly zone: Zone
  /** A person's name; empty where it isn't known. */
  readonly nameOf: (id: string) => string
}

const columns: readonly CsvColumn<AuditEntry, Setting>[] = [
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
export async function auditCsv(entries: readonly AuditEntry[], setting: Setting): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  await writeCsv(csvRows(columns, entries, setting), (chunk) => void chunks.push(chunk))
  return Buffer.concat(chunks)
}
