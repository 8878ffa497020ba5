import { expect, it } from 'vitest'
import { dayMs, hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Alerts } from '../alerts/alerts.ts'
import { Schedules } from './schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app)
const alerts = new Alerts(app)

const put = (namespace: string, key: string, value: string) =>
  alerts.store(({ database }) => database.set(namespace, { key, value }))

const readIndex = () =>
  alerts.store(({ database }) => Array.fromAsync(database.scan('schedules-due'), ({ key }) => key))

/** Stores an index row of a schedule that doesn't exist. */
async function putIndexRow(at: number, teamId: string, id: string): Promise<string> {
  const key = `${new Date(at).toISOString()}/${teamId}/${id}`
  await put('schedules-due', key, JSON.stringify({ workspace: { teamId }, id }))
  return key
}

it("a malformed row doesn't stop later schedules and jobs, and is logged once", async () => {
  const { finance, due } = await schedules.addDue()
  const first = `/${app.slack.workspace.teamId}/00first`
  const entry = `/${app.slack.workspace.teamId}/others-0000000000000000-first`
  const indexRow = '1970-01-01T00:00:00.000Z/00first'
  await app.restart(async () => {
    await put('schedules', first, '{"id":"00first"}')
    await put('audit-log', entry, '{}')
    await put('schedules-due', indexRow, '{"at":"soon"}')
    await put('job:billing-posts', '00first', '{"at":"soon"}')
    await put('job:billing-posts', '00second', '{"id":"00second","at":0,"failed":0,"data":{"workspace":7}}')
    await put('job:notices', '00first', 'no JSON')
    await put('job:notices', '00second', '{"id":"00second","at":0,"failed":0,"data":{}}')
  })
  app.clock.ahead = due + 1000 - Date.now()
  await expect.poll(() => schedules.posts(finance), { timeout: 8000 }).toHaveLength(1)
  expect(await schedules.audit()).toShow('posted the bill')
  expect(await schedules.list()).toShow('Next: ')
  for (const row of [indexRow, first, entry, '00first']) await app.logged(`"row":"${row}"`)
  await app.logged('"job":"00second"', 2)
  expect(app.logs.filter((line) => line.includes(`"row":"${first}"`))).toHaveLength(1)
})

it("malformed settings of a channel don't stop its posts", async () => {
  const { finance, due } = await schedules.addDue()
  const key = `/${app.slack.workspace.teamId}/${finance.id}`
  await app.restart(() => put('channel-settings', key, '{"value":{"zone":7}}'))
  await schedules.at(due + 1000)
  await expect.poll(() => schedules.posts(finance)).toHaveLength(1)
  await app.logged(`"row":"${key}"`)
  expect(await schedules.setZone(finance, 'Asia/Tokyo')).toShow('now uses Asia/Tokyo')
  await put('schedules', `/${app.slack.workspace.teamId}0/first`, '{}')
  expect(await schedules.list()).not.toShow("can't be read")
})

it('an index row without a record is dropped once its time has passed, one with a record is not, and a former job posts nothing', async () => {
  const { finance, due } = await schedules.addDue()
  const edit = await schedules.edit(await schedules.list())
  expect(await schedules.save(edit, { time: '15:00' })).toShow('Saved')
  const kept = await readIndex()
  expect(kept).toHaveLength(2)
  const { workspace, id } = JSON.parse(app.stored.all('schedules')[0]!.value)
  const job = { id: 'former', at: due, failed: 0, data: { workspace, id, at: due } }
  await app.restart(() => put('job:billing-posts', job.id, JSON.stringify(job)))
  // Early enough for a record that is being written.
  await schedules.at(due + 60_000)
  // Each tick looks at the oldest row first, so the second of these is dropped after a whole tick.
  for (const hours of [3, 2]) {
    const key = await putIndexRow(due - hours * hourMs, 'T0', 'old')
    await expect.poll(readIndex).not.toContain(key)
  }
  expect(await readIndex()).toEqual(kept)
  app.clock.ahead += hourMs
  await expect.poll(readIndex).toEqual(kept.slice(1))
  expect(schedules.posts(finance)).toEqual([])
  await schedules.pass()
  expect(schedules.posts(finance)).toHaveLength(1)
})

it('an index row that is left over from a deleted workspace posts nothing', async () => {
  const { finance, due } = await schedules.addDue()
  const [key = ''] = await readIndex()
  const question = await app.admin.command('/callboard forget')
  expect(await app.admin.click(question, 'lifecycle.forget')).toShow('Done.')
  expect(await readIndex()).toEqual([])
  await putIndexRow(due, app.slack.workspace.teamId, key.split('/').at(-1) ?? '')
  await schedules.at(due + dayMs)
  await expect.poll(readIndex).toEqual([])
  expect(schedules.posts(finance)).toEqual([])
})
