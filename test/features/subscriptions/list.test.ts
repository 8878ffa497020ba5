import { describe, expect, it } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import type { Message, View } from '../../../dev/slack/slack.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Schedules, weekly } from './schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app)
const initial = ({ id }: { id: string }) => `"initial_conversation":"${id}`

describe('a schedule', () => {
  it('is moved to another channel and time', async () => {
    const { finance, due } = await schedules.addDue()
    const board = app.slack.addChannel({ name: 'board' })
    const edit = await schedules.edit(await schedules.list())
    expect(JSON.stringify(edit.blocks)).toContain(initial(finance))
    expect(await schedules.save(edit, { channel: board.id, time: '12:00' })).toShow('Saved')
    await schedules.at(due + 1000)
    expect(schedules.posts(finance)).toEqual([])
    expect(await schedules.list()).toShow('at 12:00')
    await schedules.at(due + 5 * hourMs)
    expect(schedules.posts(board)).toHaveLength(1)
    expect(await schedules.audit()).toShow('changed a', ' schedule in ')
  })

  it('is muted until it is turned on, also by saving it', async () => {
    const { finance, due } = await schedules.addDue()
    const muted = await schedules.click(await schedules.list(), 'Mute until turned on')
    expect(muted).toShow('Muted: ', 'Nothing is posted meanwhile.', `Muted by <@${app.admin.user.id}>`)
    expect(muted).not.toShow('Next: ')
    expect(await schedules.save(await schedules.edit(muted))).toShow('Saved.', 'Muted by ')
    await schedules.at(due + hourMs)
    expect(schedules.posts(finance)).toEqual([])
    expect(await schedules.click(muted, 'Turn on')).toShow('Turned on: ', 'Next: ')
    expect(await schedules.audit()).toShow('muted a', 'turned on a', ' schedule in ')
  })

  it('posts nothing while it is muted for an hour, and the next time again', async () => {
    const { finance, due } = await schedules.addDue()
    await schedules.at(due - 10 * minuteMs)
    expect(await schedules.click(await schedules.list(), 'Mute for an hour')).toShow('Muted until ', 'Next: ')
    await schedules.at(due + hourMs)
    expect(schedules.posts(finance)).toEqual([])
    expect(await schedules.list()).not.toShow('Muted')
    await schedules.at(due + 7 * dayMs + 1000)
    expect(schedules.posts(finance)).toHaveLength(1)
  })

  it.each([
    ['created', () => app.admin.open('/billing schedule')],
    ['changed', async () => schedules.edit(await schedules.list())],
  ])('is not %s unless its due time is stored, too', async (_, open) => {
    await schedules.add()
    const form = await open()
    app.stored.refuse('schedules-due')
    expect(await schedules.save(form, { time: '12:00' })).not.toShow('Saved')
    expect(await schedules.list()).toShow('1 schedule.', 'at 09:00')
  })

  it('is created once for two submissions of a modal', async () => {
    const modal = await app.admin.open('/billing schedule')
    await Promise.all([1, 2].map(() => schedules.save(modal, { channel: app.slack.general.id })))
    expect(await schedules.list()).toShow('1 schedule.')
  })

  it('is shown first once it was saved, above the others', async () => {
    const { id: channel } = await schedules.add()
    const form = await app.admin.open('/billing schedule')
    const { blocks } = await schedules.save(form, { channel, ...weekly, time: '10:00' })
    expect({ blocks: blocks.slice(0, 1) }).toShow('Saved.', 'at 10:00')
    expect({ blocks: blocks.slice(1) }).toShow('at 09:00', 'Edit, mute or delete: `/billing schedules`')
  })

  it('stays muted if it is muted while it is changed, and stays deleted', async () => {
    await schedules.add()
    const asked = () => app.slack.callsTo('conversations.info').length
    /** Saves a change while something else happens. */
    async function saveDuring(time: string, act: (list: Message) => Promise<unknown>) {
      const list = await schedules.list()
      const edit = await schedules.edit(list)
      const before = asked()
      const { promise: until, resolve } = Promise.withResolvers<void>()
      app.slack.failNext('users.conversations', { until })
      const saved = schedules.save(edit, { time })
      await expect.poll(asked).toBeGreaterThan(before)
      await act(list)
      resolve()
      return saved
    }
    const muted = await saveDuring('11:00', (list) => schedules.click(list, 'Mute until turned on'))
    expect(muted).toShow('Muted by ')
    expect(await schedules.list()).toShow('at 11:00', 'Muted')
    const opened = await schedules.edit(await schedules.list())
    expect(await saveDuring('12:00', (list) => schedules.delete(list))).toShow('already deleted')
    expect(await schedules.save(opened)).toShow('already deleted')
    expect(await schedules.list()).toShow('No billing posts are scheduled yet')
  })
})

it('the list begins with the next post, and ends with muted schedules', async () => {
  const weekday = (days: number) => new Date(Date.now() + days * dayMs).getUTCDay() || 7
  const channels: string[] = []
  for (const days of [4, 2, 3]) {
    const channel = app.slack.addChannel({ name: `in-${days}-days` })
    channels.push(channel.id)
    const values = { channel: channel.id, rhythm: `weekly ${weekday(days)}` }
    await schedules.save(await app.admin.open('/billing schedule'), values)
  }
  const [inFour = '', inTwo = '', inThree = ''] = channels
  const listed = (list: Message) => JSON.stringify(list.blocks).match(/(?<=\*<#)\w+/g)
  const list = await schedules.list()
  expect(listed(list)).toEqual([inTwo, inThree, inFour])
  expect(listed(await schedules.click(list, 'Mute until turned on'))).toEqual([inThree, inFour, inTwo])
})

it('the list pages through the fifty schedules that a workspace can have and change', async () => {
  const { admin, slack } = app
  for (let n = 1; n <= 50; n++) {
    // Slack limits these calls per minute.
    app.clock.ahead += 4000
    await schedules.save(await admin.open('/billing schedule'), { channel: slack.general.id })
  }
  const ids = new Set<string>()
  let list = await schedules.list()
  for (let page = 1; page <= 13; page++) {
    expect(list).toShow(`Page ${page} of 13`)
    for (const { element, block } of elementsIn(list.blocks))
      if (element.action_id?.endsWith('.menu'))
        ids.add(JSON.parse(block.block_id?.split('|').at(-1) ?? '').id)
    if (page < 13) list = await admin.click(list, 'billing.schedules.page.next')
  }
  expect(ids.size).toBe(50)
  expect(await schedules.click(list, 'Mute for an hour')).toShow('Muted until ', 'Page 13 of 13')
  const full = await schedules.save(await admin.open('/billing schedule'))
  expect(full).toShow('50 schedules, the most it can have')
  expect(await schedules.save(await schedules.edit(list), { time: '11:00' })).toShow('Saved.')
})

describe('the form of a schedule', () => {
  async function addChannel(name: string, zone: string) {
    const channel = app.slack.addChannel({ name })
    await schedules.setZone(channel, zone)
    return channel
  }

  it('is in the zone of the channel that is chosen; the list shows the time zone and when the first post comes', async () => {
    const finance = await addChannel('finance', 'Asia/Tokyo')
    const board = await addChannel('board', 'America/New_York')
    const form = await app.slack.as(app.admin.user, { channel: finance }).open('/billing schedule')
    const hint = "In the channel's time zone, or the workspace's for direct messages."
    expect(form).toShow('Schedule billing posts', 'Repeat', hint)
    const saved = await schedules.save(form, { channel: board.id, rhythm: 'weekly 1', time: '08:30' })
    expect(saved).toShow('Saved.', `<#${board.id}>, `)
    const list = await schedules.list()
    expect(list).toShow('every Monday at 08:30 (America/New_York)', `Scheduled by <@${app.admin.user.id}>`)
    const [, next = ''] = /Next: ([^·]+) ·/.exec(JSON.stringify(list)) ?? []
    expect(next).toMatch(/^\d+ \w{3}( \d{4})?, 08:30$/)
    expect(saved).toShow(`Next: ${next} · `)
  })

  it('requires a channel only where posts go to one', async () => {
    const { admin, slack } = app
    const form = await admin.open('/billing schedule')
    expect(form).toShow('Where', 'Callboard joins a public channel.')
    expect(JSON.stringify(form.blocks)).toContain(initial(slack.general))
    expect(JSON.stringify(form.blocks)).not.toContain('"optional":true,"block_id":"channel"')
    expect(await schedules.save(form, { where: 'direct' })).toShow('Direct messages to')
    const edit = await schedules.edit(await schedules.list())
    expect(JSON.stringify(edit.blocks)).not.toContain('initial_conversation')
    const { errors } = await schedules.save(edit, { where: 'channel', channel: null })
    expect(errors).toEqual({ channel: 'Choose a channel.' })
    const moved = await schedules.save(edit, { where: 'channel', channel: slack.general.id })
    expect(moved).toShow('Saved.', `<#${slack.general.id}>, `)
  })

  it('posts to the person by direct message', async () => {
    const form = await app.admin.open('/billing schedule')
    const saved = await schedules.save(form, { where: 'direct', rhythm: 'weekly 1' })
    expect(saved).toShow('Saved.', 'Direct messages to', 'Next: ')
    await schedules.pass()
    expect(await schedules.notice()).toShow('Business Plus')
  })

  it.each([
    ['it is closed', (view: View) => app.slack.closeView({ view, user: app.admin.user })],
    ['Slack fails to update it', () => app.slack.failNext('views.update', { status: 500 })],
  ])('updates its list although %s while it is saved', async (_, happen) => {
    await schedules.add()
    const list = await schedules.list()
    const form = await schedules.edit(list)
    const { promise: until, resolve } = Promise.withResolvers<void>()
    app.slack.failNext('conversations.info', { until })
    const waiting = await schedules.save(form, { time: '07:15' })
    expect(waiting).toShow('One moment…')
    happen(waiting)
    resolve()
    await app.admin.sees(list, 'at 07:15')
  })

  it.each(['/billing schedule', '/calls schedule', '/calls alert'])(
    'begins with the channel that is named, beside a list too: %s',
    async (command) => {
      const board = await addChannel('board', 'America/New_York')
      for (const written of [`<#${board.id}|board>`, `<#${board.id}>`])
        expect(JSON.stringify(await app.admin.open(`${command} ${written}`))).toContain(initial(board))
      expect(await app.admin.command(`${command} #bored`)).toShow('I didn\'t understand "#bored".', command)
    },
  )
})

describe('without a connected account', () => {
  const unconnected = useApp()

  it('nothing can be scheduled', async () => {
    expect(await unconnected.admin.command('/billing schedule')).toShow("isn't connected")
  })
})
