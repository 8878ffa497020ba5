import { beforeEach, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { Schedules } from './schedules.ts'

const app = useApp({ connected: true })
const schedules = new Schedules(app)
const notIn = "You aren't in that channel. Join it first, or choose another one."

// The member may see all subscriptions, but isn't an administrator.
beforeEach(async () => {
  await app.admin.submit(await app.admin.open('/billing settings'), { billing: 'everyone' })
})

it('a schedule is created only by members of its channel, including administrators', async () => {
  const board = app.slack.addChannel({ name: 'board', isPrivate: true, members: [] })
  for (const by of [app.admin, app.member]) {
    const form = await by.open('/billing schedule')
    const { errors } = await by.submit(form, { channel: board.id }, { force: true })
    expect(errors).toEqual({ channel: notIn })
  }
})

it('a schedule is created by the last member of a channel with 25,000', async () => {
  const many = Array.from({ length: 25_000 }, (_, at) => `U0MEMBER${at}`)
  const all = app.slack.addChannel({ name: 'all-hands', members: many })
  const form = await app.admin.open('/billing schedule')
  const values = { where: 'channel', channel: all.id }
  expect((await schedules.save(form, values)).errors).toEqual({ channel: notIn })
  all.members = [...many, app.admin.user.id]
  await schedules.save(form, values)
  await app.admin.sees(form, 'Saved.')
})

it('a schedule is changed by people in its channel; its owner and administrators can always mute and delete it', async () => {
  const { member, slack } = app
  const finance = await schedules.add()
  finance.members = []
  const list = await schedules.list(member)
  const why = `You and Callboard must both be in <#${finance.id}> to do that`
  expect(await schedules.click(list, 'Mute for an hour', member)).toShow(why)
  expect(await schedules.delete(list, member)).toShow(why)
  const edit = await schedules.edit(list, member)
  expect(await schedules.save(edit, { time: '11:00', channel: slack.general.id }, member)).toShow(why)
  const own = await schedules.edit(await schedules.list())
  expect((await schedules.save(own, { time: '11:00' })).errors).toEqual({ channel: notIn })
  expect(await schedules.click(await schedules.list(), 'Mute until turned on')).toShow('Muted')
  expect(await schedules.click(await schedules.list(), 'Turn on')).toShow('must both be in')
  finance.members = [member.user.id]
  expect(await schedules.click(await schedules.list(member), 'Turn on', member)).toShow('Next: ')
  finance.members = []
  expect(await schedules.click(list, 'Mute for an hour', member)).toShow('Muted until ')
  const questions = [await schedules.list(), await schedules.list()]
  const [one, two] = await Promise.all(questions.map((shown) => schedules.delete(shown)))
  expect([one, two].map((view) => JSON.stringify(view).includes('Deleted: ')).sort()).toEqual([false, true])
  expect(await schedules.audit()).toShow('deleted a bill schedule in')
})
