import { expect } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { tenantKey } from '../../src/store/tenant.ts'

const keysOf = async (database: Database, namespace: string) =>
  (await database.list(namespace, '', 100)).map(({ key }) => key)

/** What the store needs of a database, one after the other, on an empty one. @param clock what the database goes by */
export async function asADatabase(database: Database, clock: { now: number }): Promise<void> {
  const { now } = clock
  const [a, b] = [
    { key: 'a', value: '1', expires: undefined },
    { key: 'b', value: '2', expires: now + 100 },
  ]

  // Reads what was written, in any order of the keys, and what another process would find.
  await database.set('n', [b])
  await database.set('n', [a])
  expect((await database.get('n', ['a', 'b', 'c'])).toSorted((x, y) => (x.key < y.key ? -1 : 1))).toEqual([
    a,
    b,
  ])
  expect(await database.get('m', ['a'])).toEqual([])
  expect(await database.list('n', '', 1)).toEqual([a])
  expect(await database.list('n', 'a', 9)).toEqual([b])
  await database.set('n', [{ ...a, value: '3', expires: now + 50 }])
  expect(await database.get('n', ['a'])).toEqual([{ ...a, value: '3', expires: now + 50 }])

  // Whatever has expired is not there, for anything but the sweep.
  clock.now = now + 50
  expect(await database.get('n', ['a'])).toEqual([])
  expect(await keysOf(database, 'n')).toEqual(['b'])
  expect(await database.update('n', { ...a, value: '4' })).toBe(false)
  expect(await database.replace('n', 'a', '3', '4')).toBe(false)
  expect(await database.insert('n', { ...a, value: '5' })).toBe(true)
  expect(await database.insert('n', { ...a, value: '6' })).toBe(false)
  expect(await database.get('n', ['a'])).toEqual([{ ...a, value: '5' }])

  // Changes what is as it was seen to be.
  expect(await database.replace('n', 'a', '4', '7')).toBe(false)
  expect(await database.replace('n', 'a', '5', '7')).toBe(true)
  expect(await database.replace('n', 'c', '5', '7')).toBe(false)
  expect(await database.update('n', { key: 'a', value: '8', expires: now + 500 })).toBe(true)
  expect(await database.update('n', { key: 'c', value: '8' })).toBe(false)
  expect(await database.get('n', ['a'])).toEqual([{ key: 'a', value: '8', expires: now + 500 }])
  await database.set('n', [{ key: 'a', value: '8', expires: now + 900 }])

  // Several at once, whatever of them is there already, and more than are asked for in one go.
  const many = Array.from({ length: 700 }, (_, n) => ({
    key: `many/${n}`,
    value: `${n}`,
    expires: undefined,
  }))
  await database.set('many', many.slice(0, 5))
  await database.set('many', many)
  const found = await database.get('many', [...many.map(({ key }) => key), 'many/nobody'])
  expect(found.toSorted((x, y) => Number(x.value) - Number(y.value))).toEqual(many)
  expect(await Array.fromAsync(database.scan('many', 'many/69'))).toHaveLength(10)
  expect(
    await database.delete(
      'many',
      many.map(({ key }) => key),
    ),
  ).toHaveLength(700)
  clock.now = now + 200

  // Deletes, and says what; what has expired goes with the sweep.
  expect(await database.delete('n', ['a', 'nobody'])).toEqual(['a'])
  for (const key of ['p/1', 'q/1']) await database.set('n', [{ key, value: '1', expires: now + 250 }])
  await database.set('n', [{ key: 'r/1', value: '1' }])
  await database.set('m', [{ key: 'p/1', value: '1' }])
  expect(await keysOf(database, 'n')).toEqual(['p/1', 'q/1', 'r/1'])
  expect(await keysOf(database, 'm')).toEqual(['p/1'])
  clock.now = now + 300
  await database.sweep()
  clock.now = now
  expect(await keysOf(database, 'n')).toEqual(['r/1'])
  await database.clear('n')
  expect(await keysOf(database, 'n')).toEqual([])

  // Everything of a workspace, but its installation.
  const tenant = tenantKey({ teamId: 'T1' })
  const own = [tenant, `${tenant}/C1`]
  for (const key of [...own, `${tenant}0`, '/T2/T1']) await database.set('n', [{ key, value: '1' }])
  await database.set('installations', [{ key: tenant, value: '1' }])
  await database.clearTenant(tenant)
  expect((await keysOf(database, 'n')).toSorted()).toEqual([`${tenant}0`, '/T2/T1'].toSorted())
  expect(await keysOf(database, 'installations')).toEqual([tenant])
}
