import { expect, it } from 'vitest'
import { hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Alerts } from '../alerts/alerts.ts'
import { Schedules } from './schedules.ts'

const app = useApp({ connected: true })
const alerts = new Alerts(app)
const readKeys = () =>
  alerts.store(({ database }) => Array.fromAsync(database.scan('schedules-due'), ({ key }) => key))

it('drops index rows without a record once their time has passed', async () => {
  const schedules = new Schedules(app)
  const finance = await schedules.add()
  const due = await schedules.due()
  const edit = await schedules.edit(await schedules.list())
  expect(await schedules.save(edit, { time: '15:00' })).toShow('Saved')
  const kept = await readKeys()
  expect(kept).toHaveLength(2)
  // Early enough for a record that is being written.
  await schedules.at(due + 60_000)
  // Each tick looks at the oldest row first, so the second of these is dropped after a whole tick.
  for (const hours of [3, 2]) {
    const key = `${new Date(due - hours * hourMs).toISOString()}/T0/old`
    const value = JSON.stringify({ workspace: { teamId: 'T0' }, id: 'old' })
    await alerts.store(({ database }) => database.set('schedules-due', { key, value }))
    await expect.poll(readKeys).not.toContain(key)
  }
  expect(await readKeys()).toEqual(kept)
  app.clock.ahead += hourMs
  await expect.poll(readKeys).toEqual(kept.slice(1))
  expect(schedules.posts(finance)).toEqual([])
  await schedules.pass()
  expect(schedules.posts(finance)).toHaveLength(1)
})

it('ignores index rows that are left over from a deleted workspace', async () => {
  const schedules = new Schedules(app)
  const finance = await schedules.add()
  const due = await schedules.due()
  const [key = ''] = await readKeys()
  const question = await app.admin.command('/callboard forget')
  expect(await app.admin.click(question, 'lifecycle.forget')).toShow('Done.')
  expect(await readKeys()).toEqual([])
  const value = JSON.stringify({
    workspace: { teamId: app.slack.workspace.teamId },
    id: key.split('/').at(-1),
  })
  await alerts.store(({ database }) => database.set('schedules-due', { key, value }))
  await schedules.at(due + hourMs)
  await expect.poll(readKeys).toEqual([])
  expect(schedules.posts(finance)).toEqual([])
})
