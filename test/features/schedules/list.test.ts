import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { buttonsOf } from '../../support/shown.ts'
import { hourMs, Schedules } from './schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app)

describe('/billing schedules', () => {
  it('edits, pauses and deletes: a schedule keeps to what it is then', async () => {
    const { admin, slack } = app
    const finance = await schedules.add()
    const other = slack.addChannel({ name: 'board' })
    const old = await schedules.due()
    const edit = await admin.open(await schedules.list(), 'billing.schedule.edit')
    expect(JSON.stringify(edit.blocks)).toContain(`"initial_conversation":"${finance.id}`)
    expect(await admin.submit(edit, { channel: other.id, time: '12:00' })).toShow('Saved')
    await schedules.at(old + 1000)
    expect(schedules.posts(finance)).toEqual([])
    const list = await schedules.list()
    expect(list).toShow('at 12:00')
    const paused = await schedules.click(list, 'pause')
    expect(paused).toShow('Paused.')
    const again = await admin.open(paused, 'billing.schedule.edit')
    expect(await admin.submit(again)).toShow('It is paused still')
    await schedules.at(old + 5 * hourMs)
    expect(schedules.posts(other)).toEqual([])
    expect(await schedules.click(paused, 'delete')).toShow('No billing posts are scheduled')
    expect(await schedules.click(paused, 'resume')).toShow('not there any more')
    const audit = await schedules.audit()
    expect(audit).toShow('schedule changed', 'schedule paused', 'schedule deleted')
  })

  it('has one schedule of two submissions of one modal', async () => {
    const { admin, slack } = app
    const modal = await admin.open('/billing schedule')
    await Promise.all([1, 2].map(() => admin.submit(modal, { channel: slack.general.id })))
    expect(await schedules.list()).toShow('1 schedule.')
  })

  it('takes no channel that can not be posted to, and not more than fit', async () => {
    const { admin, slack } = app
    const away = slack.addChannel({ name: 'away', isMember: false })
    const modal = await admin.open('/billing schedule')
    const refused = await admin.submit(modal, { channel: away.id })
    expect(JSON.stringify(refused.errors)).toContain(
      'Callboard is not in that channel. Invite it there with /invite @Callboard',
    )
    for (let n = 1; n <= 50; n++) {
      await admin.submit(await admin.open('/billing schedule'), { channel: slack.general.id })
    }
    const ids = new Set<string>()
    let list = await schedules.list()
    for (let page = 1; ; page++) {
      expect(list).toShow(`Page ${page} of 8`)
      for (const { action_id, value } of buttonsOf(list)) if (action_id.endsWith('edit')) ids.add(value)
      if (page === 8) break
      list = await admin.click(list, 'billing.schedules.page.next')
    }
    expect(ids.size).toBe(50)
    expect(await admin.open('/billing schedule')).toShow('50 schedules already')
  })
})

describe('where no account is connected', () => {
  const unconnected = useApp()

  it('nothing can be scheduled', async () => {
    expect(await unconnected.admin.command('/billing schedule')).toShow("isn't connected")
  })
})
