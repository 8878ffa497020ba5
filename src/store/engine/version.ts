import { z } from 'zod'
import { UnusableStoreError } from '../errors.ts'

/** Version of the rows that this program reads and writes, stored in a row of its own. */
const ROWS_VERSION = 1

export const insertVersion = `INSERT INTO callboard_store (namespace, key, value)
  VALUES ('version', 'rows', '${ROWS_VERSION}') ON CONFLICT (namespace, key) DO NOTHING`
export const selectVersion = "SELECT value FROM callboard_store WHERE namespace = 'version' AND key = 'rows'"

const versionRowSchema = z.object({ value: z.coerce.number().int().positive() })

/** Rejects rows of another version, which would be misread and overwritten. @throws {UnusableStoreError} */
export function assertRowsVersion(row: unknown): void {
  const version = versionRowSchema.safeParse(row).data?.value
  if (version === ROWS_VERSION) return
  throw new UnusableStoreError(
    `The database holds rows of version ${version ?? 'unknown'}, and this Callboard knows version ${ROWS_VERSION}: start the newer Callboard that wrote them, or restore a backup.`,
  )
}
