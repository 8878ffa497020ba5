import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Database } from '../../src/store/engine/database.ts'
import { tenantKey } from '../../src/store/tenant.ts'

const getRows = (database: Database, namespace: string, from?: string) =>
  Array.fromAsync(database.scan(namespace, '', from))
const getKeys = async (database: Database, namespace: string) =>
  (await getRows(database, namespace)).map(({ key }) => key)

/** Tests everything that the store needs of an empty database. @param clock of the database */
export async function checkDatabase(database: Database, clock: { now: number }): Promise<void> {
  const { now } = clock
  const a = { key: 'a', value: '1' }
  const b = { key: 'b', value: '2' }

  // Reads written rows, with keys in any order, and finds them in another process.
  await database.set('n', { ...b, expires: now + 100 })
  await database.set('n', a)
  const found = await Promise.all(['c', 'b', 'a', 'b'].map((key) => database.get('n', key)))
  expect(found).toEqual([undefined, '2', '1', '2'])
  const reading = database.get('n', 'b')
  await turn()
  expect(await database.get('n', 'a')).toBe('1')
  expect(await reading).toBe('2')
  expect(await database.get('m', 'a')).toBeUndefined()
  expect(await getRows(database, 'n')).toEqual([a, b])
  expect(await getRows(database, 'n', 'a')).toEqual([b])
  await database.set('n', { ...a, value: '3', expires: now + 50 })
  expect(await database.get('n', 'a')).toBe('3')

  // Only the sweep sees expired rows.
  clock.now = now + 50
  expect(await database.get('n', 'a')).toBeUndefined()
  expect(await getKeys(database, 'n')).toEqual(['b'])
  expect(await database.update('n', { ...a, value: '4' })).toBe(false)
  expect(await database.replace('n', 'a', '3', '4')).toBe(false)
  expect(await database.insert('n', { ...a, value: '5' })).toBe(true)
  expect(await database.insert('n', { ...a, value: '6' })).toBe(false)
  expect(await database.get('n', 'a')).toBe('5')

  // Changes rows that are still as they were read.
  expect(await database.replace('n', 'a', '4', '7')).toBe(false)
  expect(await database.replace('n', 'a', '5', '7')).toBe(true)
  expect(await database.replace('n', 'c', '5', '7')).toBe(false)
  expect(await database.get('n', 'a')).toBe('7')
  expect(await database.update('n', { key: 'a', value: '8', expires: now + 500 })).toBe(true)
  expect(await database.update('n', { key: 'c', value: '8' })).toBe(false)
  clock.now = now + 499
  expect(await database.get('n', 'a')).toBe('8')
  clock.now = now + 500
  expect(await database.get('n', 'a')).toBeUndefined()
  clock.now = now + 50
  await database.set('n', { key: 'a', value: '8', expires: now + 900 })

  // More rows than a page, some of which already exist.
  const many = Array.from({ length: 700 }, (_, n) => ({ key: `many/${n}`, value: `${n}` }))
  for (const row of [...many.slice(0, 5), ...many]) await database.set('many', row)
  expect(await Promise.all(many.map(({ key }) => database.get('many', key)))).toEqual(
    many.map(({ value }) => value),
  )
  expect(await Array.fromAsync(database.scan('many', 'many/69'))).toHaveLength(10)
  await Promise.all(many.map(({ key }) => database.delete('many', key)))
  expect(await getKeys(database, 'many')).toEqual([])
  clock.now = now + 200

  // Deletes rows and returns them; expired ones are left to the sweep.
  expect(await database.delete('n', 'a')).toBe(true)
  expect(await database.delete('n', 'nobody')).toBe(false)
  for (const key of ['p/1', 'q/1']) await database.set('n', { key, value: '1', expires: now + 250 })
  await database.set('n', { key: 'r/1', value: '1' })
  await database.set('m', { key: 'p/1', value: '1' })
  expect(await getKeys(database, 'n')).toEqual(['p/1', 'q/1', 'r/1'])
  expect(await getKeys(database, 'm')).toEqual(['p/1'])
  clock.now = now + 300
  await database.deleteExpired()
  clock.now = now
  expect(await getKeys(database, 'n')).toEqual(['r/1'])

  // Deletes everything of a workspace except its installation. Keys are sorted by their bytes.
  await database.delete('n', 'r/1')
  const tenant = tenantKey({ teamId: 'T1' })
  const own = [tenant, `${tenant}/C1`]
  for (const key of [...own, '/s', `${tenant}0`, '/T2/T1']) await database.set('n', { key, value: '1' })
  await database.set('installations', { key: tenant, value: '1' })
  await database.deleteTenant(tenant)
  expect(await getKeys(database, 'n')).toEqual([`${tenant}0`, '/T2/T1', '/s'])
  expect(await getKeys(database, 'installations')).toEqual([tenant])
}
