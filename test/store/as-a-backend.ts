import { expect } from 'vitest'
import type { Backend } from '../../src/store/backend.ts'
import { tenantKey } from '../../src/store/tenant.ts'

const keysOf = async (backend: Backend, namespace: string) =>
  (await backend.list(namespace, '', 100)).map(({ key }) => key)

/** What the store needs of a database, one after the other, on an empty one. @param clock what the backend goes by */
export async function asABackend(backend: Backend, clock: { now: number }): Promise<void> {
  const { now } = clock
  const [a, b] = [
    { key: 'a', value: '1', expires: undefined },
    { key: 'b', value: '2', expires: now + 100 },
  ]

  // Reads what was written, in any order of the keys, and what another process would find.
  await backend.set('n', b)
  await backend.set('n', a)
  expect((await backend.get('n', ['a', 'b', 'c'])).toSorted((x, y) => (x.key < y.key ? -1 : 1))).toEqual([
    a,
    b,
  ])
  expect(await backend.get('m', ['a'])).toEqual([])
  expect(await backend.getAnew('n', 'b')).toEqual(b)
  expect(await backend.getAnew('n', 'c')).toBeUndefined()
  expect(await backend.list('n', '', 1)).toEqual([a])
  expect(await backend.list('n', 'a', 9)).toEqual([b])
  await backend.set('n', { ...a, value: '3', expires: now + 50 })
  expect(await backend.get('n', ['a'])).toEqual([{ ...a, value: '3', expires: now + 50 }])

  // Whatever has expired is not there, for anything but the sweep.
  clock.now = now + 50
  expect(await backend.get('n', ['a'])).toEqual([])
  expect(await backend.getAnew('n', 'a')).toBeUndefined()
  expect(await keysOf(backend, 'n')).toEqual(['b'])
  expect(await backend.update('n', { ...a, value: '4' })).toBe(false)
  expect(await backend.replace('n', 'a', '3', '4')).toBe(false)
  expect(await backend.setWhile({ namespace: 'n', key: 'a' }, 'n', { key: 'c', value: '1' })).toBe(false)
  expect(await backend.insert('n', { ...a, value: '5' })).toBe(true)
  expect(await backend.insert('n', { ...a, value: '6' })).toBe(false)
  expect(await backend.get('n', ['a'])).toEqual([{ ...a, value: '5' }])

  // Changes what is as it was seen to be.
  expect(await backend.replace('n', 'a', '4', '7')).toBe(false)
  expect(await backend.replace('n', 'a', '5', '7')).toBe(true)
  expect(await backend.replace('n', 'c', '5', '7')).toBe(false)
  expect(await backend.update('n', { key: 'a', value: '8', expires: now + 500 })).toBe(true)
  expect(await backend.update('n', { key: 'c', value: '8' })).toBe(false)
  expect(await backend.get('n', ['a'])).toEqual([{ key: 'a', value: '8', expires: now + 500 }])
  await backend.set('n', { key: 'a', value: '8', expires: now + 900 })

  // Goes up alone, and begins anew once it has expired.
  expect(await backend.raise('n', 'mark', 9, now + 200)).toBe(true)
  expect(await backend.raise('n', 'mark', 10, now + 200)).toBe(true)
  for (const number of [10, 9]) expect(await backend.raise('n', 'mark', number, now + 900)).toBe(false)
  expect(await backend.get('n', ['mark'])).toEqual([{ key: 'mark', value: '10', expires: now + 200 }])
  clock.now = now + 200
  expect(await backend.raise('n', 'mark', 1, now + 300)).toBe(true)

  // Writes while its guard is there, with its value where one is asked for.
  const guard = { namespace: 'n', key: 'a' }
  const row = { key: 'guarded', value: '1', expires: now + 700 }
  expect(await backend.setWhile({ ...guard, value: 'another' }, 'n', row)).toBe(false)
  expect(await backend.setWhile({ ...guard, key: 'nobody' }, 'n', row)).toBe(false)
  expect(await backend.get('n', ['guarded'])).toEqual([])
  expect(await backend.setWhile(guard, 'n', row)).toBe(true)
  expect(
    await backend.setWhile({ ...guard, value: '8' }, 'n', { ...row, value: '2', expires: undefined }),
  ).toBe(true)
  expect(await backend.get('n', ['guarded'])).toEqual([{ key: 'guarded', value: '2', expires: undefined }])

  // Deletes, and says what; what has expired goes with the sweep.
  expect(await backend.delete('n', ['a', 'nobody'])).toEqual(['a'])
  for (const key of ['p/1', 'p/2', 'q/1']) await backend.set('n', { key, value: '1' })
  await backend.set('m', { key: 'p/1', value: '1' })
  await backend.clear('n', 'p/')
  expect(await keysOf(backend, 'n')).toEqual(['guarded', 'mark', 'q/1'])
  expect(await keysOf(backend, 'm')).toEqual(['p/1'])
  clock.now = now + 300
  await backend.sweep()
  clock.now = now
  expect(await keysOf(backend, 'n')).toEqual(['guarded', 'q/1'])
  await backend.clear('n')
  expect(await keysOf(backend, 'n')).toEqual([])

  // Everything of a workspace, but its installation.
  const tenant = tenantKey({ teamId: 'T1' })
  const own = [tenant, `${tenant}/C1`]
  for (const key of [...own, `${tenant}0`, '/T2/T1']) await backend.set('n', { key, value: '1' })
  await backend.set('installations', { key: tenant, value: '1' })
  await backend.clearTenant(tenant)
  expect((await keysOf(backend, 'n')).toSorted()).toEqual([`${tenant}0`, '/T2/T1'].toSorted())
  expect(await keysOf(backend, 'installations')).toEqual([tenant])
}
