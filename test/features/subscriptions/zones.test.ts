import { expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { toOption } from '../alerts/alerts.ts'
import { Schedules } from './schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app)
const onFriday = { rhythm: 'weekly 5', time: '09:00' }

it("follows a change of the channel's zone", async () => {
  const { finance, due } = await schedules.addDue()
  await schedules.setZone(finance, '+05:00')
  expect(await schedules.list()).toShow('(+05:00)')
  // If less than five hours are left, the time has already passed there, and the post is sent within a minute.
  await schedules.at(Math.max(due - 5 * hourMs, Date.now() + minuteMs) + 1000)
  expect(schedules.posts(finance)).toHaveLength(1)
  expect(schedules.posts(finance)[0]).not.toShow('Late')
})

it('follows the workspace, to another zone too, once the channel has no zone of its own', async () => {
  const { finance } = await schedules.addDue()
  await schedules.setZone(finance, 'default')
  const due = await schedules.due()
  await schedules.setZone(finance, 'Europe/Berlin')
  expect(await schedules.due()).toBe(due)
  await schedules.setZone(finance, 'Asia/Tokyo')
  const dueInTokyo = await schedules.due()
  await schedules.setZone(finance, 'default')
  const { admin, sandbox } = app
  const { key, secret } = sandbox.accounts.lively
  const values = { key, secret, zone: toOption('Asia/Tokyo') }
  await admin.sees(await admin.submit(await admin.open('/calls connect'), values), 'Connected')
  expect(await schedules.due()).toBe(dueInTokyo)
})

it('follows a change that is repeated because the store failed', async () => {
  const { finance, due } = await schedules.addDue()
  const allow = schedules.refusePlans()
  expect(await schedules.setZone(finance, '-03:00')).toShow('something went wrong')
  allow()
  await schedules.setZone(finance, '-03:00')
  expect(await schedules.due()).toBe(due + 3 * hourMs)
})

it('posts once per day: four zones on one Friday cause one post', async () => {
  const { finance, due } = await schedules.addDue(onFriday)
  // Zones in which 09:00 on that Friday is these numbers of hours from 09:00 UTC.
  const zones = { 'Pacific/Kiritimati': -14, 'Asia/Tokyo': -9, UTC: 0, '-08:00': 8 }
  for (const [zone, hours] of Object.entries(zones)) {
    await schedules.setZone(finance, zone)
    await schedules.at(due + hours * hourMs + minuteMs)
  }
  expect(schedules.posts(finance)).toHaveLength(1)
  await schedules.setZone(finance, 'UTC')
  await schedules.at(due + 7 * dayMs + minuteMs)
  expect(schedules.posts(finance)).toHaveLength(2)
})

it('skips no day: neither this Friday nor the next, with six minutes in Kiritimati', async () => {
  const { finance, due } = await schedules.addDue(onFriday)
  await schedules.at(due - 3 * minuteMs)
  await schedules.setZone(finance, 'Pacific/Kiritimati')
  await schedules.at(due + 3 * minuteMs)
  await schedules.setZone(finance, 'UTC')
  await app.jobsDone()
  expect(schedules.posts(finance)).toHaveLength(1)
  expect(schedules.posts(finance)[0]).not.toShow('Late')
  expect(await schedules.due()).toBe(due + 7 * dayMs)
  await schedules.at(due + 7 * dayMs + minuteMs)
  expect(schedules.posts(finance)).toHaveLength(2)
})

it('is left out if a change of zone moves it into a mute', async () => {
  const { finance, due } = await schedules.addDue()
  await schedules.at(due - 90 * minuteMs)
  await schedules.click(await schedules.list(), 'Mute for an hour')
  await schedules.setZone(finance, '+01:00')
  expect(await schedules.due()).toBe(due + 7 * dayMs - hourMs)
})

it("isn't planned again on its day if its time changes after the post", async () => {
  const { finance, due } = await schedules.addDue(onFriday)
  await schedules.at(due + minuteMs)
  const edit = await schedules.edit(await schedules.list())
  expect(await schedules.save(edit, { time: '15:00' })).toShow('Saved')
  expect(await schedules.due()).toBe(due + 7 * dayMs + 6 * hourMs)
  expect(schedules.posts(finance)).toHaveLength(1)
})
