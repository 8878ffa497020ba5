import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../dev/slack/slack.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Schedules } from './schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app)
const onFriday = { rhythm: 'weekly 5', time: '09:00' }

/** Sets the channel's time zone as an admin. */
const setZone = (finance: Channel, zone: string) =>
  app.slack.as(app.admin.user, { channel: finance }).command(`/calls timezone ${zone}`)

describe("a change of the channel's zone", () => {
  it('posts once per day: four zones on one Friday cause one post', async () => {
    const finance = await schedules.add(onFriday)
    // Zones in which 09:00 on that Friday is these numbers of hours from 09:00 UTC.
    const due = await schedules.due()
    const zones = { 'Pacific/Kiritimati': -14, 'Asia/Tokyo': -9, UTC: 0, '-08:00': 8 }
    for (const [zone, hours] of Object.entries(zones)) {
      await setZone(finance, zone)
      await schedules.at(due + hours * hourMs + minuteMs)
    }
    expect(schedules.posts(finance)).toHaveLength(1)
    await setZone(finance, 'UTC')
    await schedules.at(due + 7 * dayMs + minuteMs)
    expect(schedules.posts(finance)).toHaveLength(2)
  })

  it('skips no day: neither this Friday nor the next, with six minutes in Kiritimati', async () => {
    const finance = await schedules.add(onFriday)
    const due = await schedules.due()
    await schedules.at(due - 3 * minuteMs)
    await setZone(finance, 'Pacific/Kiritimati')
    await schedules.at(due + 3 * minuteMs)
    await setZone(finance, 'UTC')
    await app.jobsDone()
    expect(schedules.posts(finance)).toHaveLength(1)
    expect(schedules.posts(finance)[0]).not.toShow('Late')
    expect(await schedules.due()).toBe(due + 7 * dayMs)
    await schedules.at(due + 7 * dayMs + minuteMs)
    expect(schedules.posts(finance)).toHaveLength(2)
  })
})

describe('a slot', () => {
  it("isn't planned again on its day if its time changes after the post", async () => {
    const finance = await schedules.add(onFriday)
    const due = await schedules.due()
    await schedules.at(due + minuteMs)
    const edit = await schedules.edit(await schedules.list())
    expect(await app.admin.submit(edit, { time: '15:00' })).toShow('Saved')
    expect(await schedules.due()).toBe(due + 7 * dayMs + 6 * hourMs)
    expect(schedules.posts(finance)).toHaveLength(1)
  })
})
