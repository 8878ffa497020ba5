import { randomUUID } from 'node:crypto'
import type { Milliseconds } from '../util/units.ts'
import type { Backend } from './backend.ts'
import { StoreError } from './errors.ts'

const namespace = 'readiness'
const keptFor: Milliseconds = 60_000

/** Writes a row and reads it. @param id of the process: each one's is a row of its own @throws {StoreError} where it isn't kept */
export async function assertKeeps(database: Backend, id: string): Promise<void> {
  const row = { key: id, value: randomUUID(), expires: database.now() + keptFor }
  await database.set(namespace, row)
  const found = await database.getAnew(namespace, row.key)
  if (found?.value !== row.value) throw new StoreError('what was written is not there')
}
