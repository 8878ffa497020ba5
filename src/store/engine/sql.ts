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
export type FoundRow = { readonly key?: unknown; readonly value?: unknown }

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
/** SQL counts from 1. */
const RECORD_KEY_POSITION = new Date(0).toISOString().length + 1
const isAlive = (now: string) => `(expires IS NULL OR expires > ${now})`
const startsWith = (text: string, prefix: string) =>
  `substr(${text}, 1, length(CAST(${prefix} AS text))) = ${prefix}`
const overwrite =
  'ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires = excluded.expires'

export const statements = {
  get: `SELECT value FROM ${table} WHERE namespace = $1 AND key = $2 AND ${isAlive('$3')}`,
  list: `SELECT key, value FROM ${table}
    WHERE namespace = $1 AND key > $2 AND ${isAlive('$3')} ORDER BY key LIMIT $4`,
  set: `INSERT INTO ${table} (namespace, key, value, expires) VALUES ($1, $2, $3, $4) ${overwrite}`,
  insert: `INSERT INTO ${table} AS existing (namespace, key, value, expires) VALUES ($1, $2, $3, $4)
    ${overwrite} WHERE existing.expires <= $5 RETURNING key`,
  replace: `UPDATE ${table} SET value = $4
    WHERE namespace = $1 AND key = $2 AND value = $3 AND ${isAlive('$5')} RETURNING key`,
  update: `UPDATE ${table} SET value = $3, expires = $4
    WHERE namespace = $1 AND key = $2 AND ${isAlive('$5')} RETURNING key`,
  delete: `DELETE FROM ${table} WHERE namespace = $1 AND key = $2 RETURNING key`,
  // `$1` is `TENANT/`. Keys are `TENANT` or `TENANT/…`; in a time index, this follows the time.
  deleteTenant: `DELETE FROM ${table}
    WHERE (namespace <> 'installations' AND ${startsWith("key || '/'", '$1')})
    OR (namespace LIKE '%${TIME_INDEX_SUFFIX}' AND ${startsWith(`substr(key, ${RECORD_KEY_POSITION})`, '$1')})`,
  deleteExpired: `DELETE FROM ${table} WHERE expires <= $1`,
} as const
export type StatementName = keyof typeof statements

const ROWS_VERSION = '1'
export const versionRow: RowKey = { namespace: 'version', key: 'rows' }

/** Returns the stored version, after storing `ROWS_VERSION` in a new table. */
export const INIT_VERSION_SQL = `INSERT INTO ${table} AS existing (namespace, key, value)
  VALUES ('${versionRow.namespace}', '${versionRow.key}', '${ROWS_VERSION}')
  ON CONFLICT (namespace, key) DO UPDATE SET value = existing.value RETURNING value`

/** Rows of another version would be misread and overwritten. @throws {UnusableStoreError} */
export function assertRowsVersion(version: unknown): void {
  if (version === ROWS_VERSION) return
  throw new UnusableStoreError(
    `The database holds rows of version ${version ?? 'unknown'}, and this Callboard knows version ${ROWS_VERSION}: start the newer Callboard that wrote them, or restore a backup.`,
  )
}
