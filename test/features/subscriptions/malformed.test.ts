import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { Alerts } from '../alerts/alerts.ts'
import { Schedules } from './schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app)

const put = (namespace: string, key: string, value: string) =>
  new Alerts(app).store(({ database }) => database.set(namespace, { key, value }))

describe('a row that is malformed', () => {
  it("doesn't stop later schedules and jobs, and is logged once", async () => {
    const finance = await schedules.add()
    const team = `/${app.slack.workspace.teamId}`
    await app.restart(async () => {
      await put('schedules', `${team}/00first`, '{"id":"00first"}')
      await put('audit-log', `${team}/others-0000000000000000-first`, '{}')
      await put('schedules-due', '1970-01-01T00:00:00.000Z/00first', '{"at":"soon"}')
      await put('job:billing-posts', '00first', '{"at":"soon"}')
      await put('job:billing-posts', '00second', '{"id":"00second","at":0,"failed":0,"data":{"workspace":7}}')
      await put('job:notices', '00first', 'no JSON')
      await put('job:notices', '00second', '{"id":"00second","at":0,"failed":0,"data":{}}')
    })
    const due = await schedules.due()
    app.clock.ahead = due + 1000 - Date.now()
    await expect.poll(() => schedules.posts(finance), { timeout: 8000 }).toHaveLength(1)
    expect(await schedules.audit()).toShow('posted the bill')
    expect(await schedules.list()).toShow('Next: ')
    for (const row of [
      '1970-01-01T00:00:00.000Z/00first',
      `${team}/00first`,
      `${team}/others-0000000000000000-first`,
      '00first',
    ])
      await app.logged(`"row":"${row}"`)
    await app.logged('"job":"00second"', 2)
    const named = app.logs.filter((line) => line.includes(`"row":"${team}/00first"`))
    expect(named).toHaveLength(1)
  })

  it('counts as missing', async () => {
    const finance = await schedules.add()
    const due = await schedules.due()
    const key = `/${app.slack.workspace.teamId}/${finance.id}`
    await app.restart(() => put('channel-settings', key, '{"value":{"zone":7}}'))
    await schedules.at(due + 1000)
    await expect.poll(() => schedules.posts(finance)).toHaveLength(1)
    await app.logged(`"row":"${key}"`)
  })
})
