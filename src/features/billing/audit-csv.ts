import type { AuditEntry } from '../../store/audit.ts'
import type { Zone } from '../../time/types.ts'
import { offsetAt, utcText, wallTime } from '../../time/zones.ts'

/**
 * The audit log as a CSV file (RFC 4180) that spreadsheets open as it is: UTF-8 with a byte-order mark, and no cell that
 * they would take for a formula. @param nameOf a person's name; empty where it isn't known
 */
export async function auditCsv(
  entries: readonly AuditEntry[],
  { zone, nameOf }: { zone: Zone; nameOf: (id: string) => string },
): Promise<Buffer> {
  // Loaded where it is used: few ask for it, and every start would wait for it.
  const { stringify } = await import('csv-stringify/sync')
  const head = ['Time', 'Time (UTC)', 'Person', 'Person ID', 'Action', 'Detail']
  const rows = entries.map(({ at, who, what, detail = '', name }) => {
    const instant = new Date(at)
    return [
      `${wallTime(zone, instant)} ${offsetAt(zone, instant)}`,
      utcText(at),
      nameOf(who),
      who,
      what,
      name ? `${detail} (${name})` : detail,
    ]
  })
  const options = { bom: true, record_delimiter: 'windows', escape_formulas: true } as const
  return Buffer.from(stringify([head, ...rows], options))
}
