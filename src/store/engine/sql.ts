import type { EpochMs } from '../../util/units.ts'
import { UnusableStoreError } from '../errors.ts'

export interface Row {
  readonly key: string
  readonly value: string
  /** Never by default. */
  readonly expires?: EpochMs | null | undefined
}

export interface RowKey {
  readonly namespace: string
  readonly key: string
}

export type Value = string | number | null

export type FoundRow = Readonly<Partial<Record<'key' | 'value', unknown>>>

export interface Driver {
  /** Whether other processes may change the database. */
  readonly isShared: boolean
  run(name: StatementName, values: readonly Value[]): Promise<readonly FoundRow[]>
  get(row: RowKey, now: EpochMs): Promise<string | undefined>
  close(): Promise<void>
}

const table = 'callboard_store'
/** Namespaces whose keys are an ISO 8601 time followed by the key of a record. */
export const TIME_INDEX_SUFFIX = '-due'
/** Position at which the key of the record begins; SQL counts from 1. */
const AFTER_TIME = new Date(0).toISOString().length + 1
const alive = (place: string) => `(expires IS NULL OR expires > ${place})`
/** Whether a text starts with the first value. */
const startsWith = (text: string) => `substr(${text}, 1, length(CAST($1 AS text))) = $1`
const overwrite =
  'ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires = excluded.expires'

export const statements = {
  get: `SELECT value FROM ${table} WHERE ${alive('$1')} AND namespace = $2 AND key = $3`,
  list: `SELECT key, value FROM ${table}
    WHERE namespace = $1 AND key > $2 AND ${alive('$3')} ORDER BY key LIMIT $4`,
  set: `INSERT INTO ${table} (namespace, key, value, expires) VALUES ($1, $2, $3, $4) ${overwrite}`,
  insert: `INSERT INTO ${table} AS held (namespace, key, value, expires) VALUES ($1, $2, $3, $4)
    ${overwrite} WHERE held.expires <= $5 RETURNING key`,
  replace: `UPDATE ${table} SET value = $4
    WHERE namespace = $1 AND key = $2 AND value = $3 AND ${alive('$5')} RETURNING key`,
  update: `UPDATE ${table} SET value = $3, expires = $4
    WHERE namespace = $1 AND key = $2 AND ${alive('$5')} RETURNING key`,
  delete: `DELETE FROM ${table} WHERE namespace = $1 AND key = $2 RETURNING key`,
  deleteTenant: `DELETE FROM ${table} WHERE namespace <> 'installations' AND ${startsWith("key || '/'")}
    OR namespace LIKE '%${TIME_INDEX_SUFFIX}' AND ${startsWith(`substr(key, ${AFTER_TIME})`)}`,
  deleteExpired: `DELETE FROM ${table} WHERE expires <= $1`,
} as const
export type StatementName = keyof typeof statements

const ROWS_VERSION = '1'
/** Namespace and key of the version of the rows. */
export const versionPlace = ['version', 'rows'] as const

/** Returns the stored version, after storing `ROWS_VERSION` in a new table. */
export const initVersion = `INSERT INTO ${table} AS held (namespace, key, value)
  VALUES ('${versionPlace.join("', '")}', '${ROWS_VERSION}')
  ON CONFLICT (namespace, key) DO UPDATE SET value = held.value RETURNING value`

/** Rows of another version would be misread and overwritten. @throws {UnusableStoreError} */
export function assertRowsVersion(version: unknown): void {
  if (version === ROWS_VERSION) return
  throw new UnusableStoreError(
    `The database holds rows of version ${version ?? 'unknown'}, and this Callboard knows version ${ROWS_VERSION}: start the newer Callboard that wrote them, or restore a backup.`,
  )
}
