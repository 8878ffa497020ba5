import { beforeEach, expect, it } from 'vitest'
import type { Actor } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { actionsOf } from '../../support/shown.ts'
import { minute, Watched } from './watched.ts'

const app = useApp()
const watched = new Watched(app)
beforeEach(() => watched.connect())

/** What the app has sent to somebody by direct message, oldest first. */
const directTo = ({ user }: Actor) => {
  const channel = app.slack.directChannel(user)?.id
  return app.slack.messages().filter((one) => one.channel === channel && one.onlyFor === undefined)
}

/** Fills in the form for direct messages. @param to a person's id; none: whoever fills it in */
async function add(to?: string, by = app.member) {
  const form = await by.open(await by.open('/calls alert'), 'calls.alert.where', 'direct')
  const view = await by.submit(form, to === undefined ? {} : { person: to })
  await app.jobsDone()
  return view
}

it('an alert goes to whoever sets it up by direct message, and is closed there', async () => {
  const { member, slack } = app
  const form = await member.open(await member.open('/calls alert'), 'calls.alert.where', 'direct')
  expect(form).toShow('The message says when a call was missed', "In the workspace's time zone.")
  expect(form).not.toShow('Callboard has to be in it')
  const saved = await member.submit(form)
  await app.jobsDone()
  expect(saved).toShow(`Saved. Each missed call is posted in direct messages to <@${member.user.id}>`)
  expect(directTo(member)).toEqual([])
  watched.miss(1)
  await watched.pass(minute)
  const [post, ...others] = directTo(member)
  expect(others).toEqual([])
  expect(post).toShow('Missed call at ')
  expect(actionsOf(post!)).toEqual(['alert.done', 'alert.show'])
  watched.miss(1)
  await watched.pass(minute)
  expect(directTo(member).map(({ text }) => text.slice(0, 14))).toEqual(['2 missed calls'])
  await member.press(post!, 'alert.done')
  await member.sees(post!, 'Done by *member*')
  watched.miss(1)
  await watched.pass(minute)
  expect(directTo(member)).toHaveLength(2)
  const list = await member.command('/calls alerts')
  expect(list).toShow(`Direct messages to <@${member.user.id}>: each missed call`)
  const edit = await member.open(list, 'calls.alert.edit')
  expect(await member.submit(edit)).toShow('Saved.')
  expect(await watched.planned.audit()).toShow(`alert · direct messages to <@${member.user.id}>`)
  expect(slack.callsTo('conversations.info')).toEqual([])
})

it('an alert for another person sends nothing before that person agrees, and asks once', async () => {
  const { admin, member } = app
  const saved = await add(member.user.id, admin)
  expect(saved).toShow(`Saved. Nothing is sent until <@${member.user.id}> agrees, in a direct message.`)
  const [request, ...others] = directTo(member)
  expect(others).toEqual([])
  expect(request).toShow(`<@${admin.user.id}> set up missed-call alerts for you: each missed call`, 'Agree')
  const list = await admin.command('/calls alerts')
  expect(list).toShow(`Waiting for <@${member.user.id}> to agree`)
  // There is nothing yet to pause or to mute.
  expect(actionsOf(list)).toEqual(['calls.alert.edit', 'calls.alert.delete', 'calls.alert.new'])
  expect(await admin.submit(await admin.open(list, 'calls.alert.edit'))).toShow('agrees, in a direct message')
  watched.miss(1)
  await watched.watch(2)
  expect(directTo(member)).toHaveLength(1)
  // It is for nobody else to say.
  expect(await admin.click(request!, 'alert.agree')).toShow('deleted or changed')
  const agreed = await member.click(request!, 'alert.agree')
  expect(agreed).toShow('You agreed. Posted here from now on: each missed call.')
  expect(await watched.planned.audit()).toShow(
    `<@${member.user.id}> · alert agreed · direct messages to <@${member.user.id}> · each missed call`,
  )
  await watched.watch(2)
  expect(directTo(member)).toHaveLength(1)
  watched.miss(1)
  await watched.pass(minute)
  expect(directTo(member).at(-1)).toShow('Missed call at ')
  expect(await admin.command('/calls alerts')).toShow('Last checked')
  // Whom it goes to may stop it.
  expect(await member.click(await member.command('/calls alerts'), 'calls.alert.pause')).toShow('Paused: ')
})

it('whoever an alert is for agrees by saving it, and gets nothing of what was missed before', async () => {
  const { admin, member } = app
  await add(member.user.id, admin)
  watched.miss(1)
  await watched.pass(minute)
  const saved = await member.submit(
    await member.open(await member.command('/calls alerts'), 'calls.alert.edit'),
  )
  await app.jobsDone()
  expect(saved).toShow(`Saved. Each missed call is posted in direct messages to <@${member.user.id}>`)
  await watched.watch(2)
  expect(directTo(member).filter(({ text }) => text.startsWith('Missed call'))).toEqual([])
  watched.miss(1)
  await watched.pass(minute)
  expect(directTo(member).at(-1)).toShow('Missed call at ')
})

it('an agreement and a mute of the moment at which the alert is changed are kept', async () => {
  const { admin, member, sandbox } = app
  await add(member.user.id, admin)
  const [agent] = await member.suggest(await member.open('/calls alert'), 'calls.agent', '')
  const edit = await admin.open(await admin.command('/calls alerts'), 'calls.alert.edit')
  app.clock.ahead += 11 * 60_000
  const asked = () => sandbox.requests.count('agents')
  const before = asked()
  sandbox.faults.next({ kind: 'delay', ms: 900 }, { operation: 'agents' })
  const saved = admin.submit(edit, { agents: agent! })
  await expect.poll(asked).toBeGreaterThan(before)
  const list = await member.click(directTo(member)[0]!, 'alert.agree')
  expect(list).toShow('You agreed.')
  await watched.planned.click(await watched.planned.list(), 'mute', 'Mute for an hour')
  expect(await saved).toShow('Saved. This alert is still muted until')
  expect(await watched.planned.kept()).toMatchObject([
    { agents: [{ id: agent?.value }], mutedBy: member.user.id },
  ])
  expect(await watched.planned.list()).toShow('Muted until')
  expect(await watched.planned.list()).not.toShow('to agree')
})

it('who agrees to an alert that is paused is told so', async () => {
  const { admin, member } = app
  await watched.planned.add({}, admin)
  const paused = await admin.click(await admin.command('/calls alerts'), 'calls.alert.pause')
  const edit = await admin.open(paused, 'calls.alert.edit')
  const direct = await admin.open(edit, 'calls.alert.where', 'direct')
  expect(await admin.submit(direct, { person: member.user.id })).toShow('Nothing is sent until')
  const agreed = await member.click(directTo(member)[0]!, 'alert.agree')
  expect(agreed).toShow('You agreed. Posted here once it is resumed: each missed call.')
  expect(await member.command('/calls alerts')).toShow('Paused', 'Resume')
})

it('a second alert for the same person is refused where that is chosen', async () => {
  await add()
  const where = 'This alert already exists: see /calls alerts.'
  expect((await add()).errors).toEqual({ where })
})

it('an alert is for no guest, and for nobody who may not see calls', async () => {
  const { admin, member, slack } = app
  const refused = {
    person: "They can't see calls in this workspace, so they can't get alerts. Choose another person.",
  }
  expect(await add(slack.people.guest.id)).toMatchObject({ errors: refused })
  await add()
  await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
  expect(await add(slack.addPerson({ name: 'colleague' }).id, admin)).toMatchObject({ errors: refused })
  watched.miss(1)
  await watched.pass(minute)
  expect(directTo(member).filter(({ text }) => text.startsWith('Missed call'))).toEqual([])
})

it('an alert posts nothing once whoever set it up, or gets it, may not see calls any more', async () => {
  const { admin, member } = app
  const channel = await watched.add()
  await add(member.user.id, admin)
  await member.click(directTo(member)[0]!, 'alert.agree')
  await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
  await app.jobsDone()
  watched.miss(1)
  await watched.pass(minute)
  expect(watched.posts(channel)).toEqual([])
  expect(directTo(member).filter(({ text }) => text.startsWith('Missed call'))).toEqual([])
})
