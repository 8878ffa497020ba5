import { z } from 'zod'
import { UnusableStoreError } from '../errors.ts'

/** The form of the rows that this program reads and writes. A row of its own holds it. */
const rowsVersion = 1

export const insertVersion = `INSERT INTO callboard_store (namespace, key, value)
  VALUES ('version', 'rows', '${rowsVersion}') ON CONFLICT (namespace, key) DO NOTHING`
export const selectVersion = "SELECT value FROM callboard_store WHERE namespace = 'version' AND key = 'rows'"

const versionRow = z.object({ value: z.coerce.number().int().positive() })

/** Rows of a newer form would be misread, and overwritten. @throws {UnusableStoreError} */
export function assertRowsVersion(row: unknown): void {
  const version = versionRow.safeParse(row).data?.value
  if (version === rowsVersion) return
  throw new UnusableStoreError(
    `The database holds rows of version ${version ?? 'unknown'}, and this Callboard knows version ${rowsVersion}: start the newer Callboard that wrote them, or restore a backup.`,
  )
}
