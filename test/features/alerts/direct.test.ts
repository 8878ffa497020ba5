import { expect, it } from 'vitest'
import type { Actor } from '../../../dev/slack/slack.ts'
import { getActions } from '../../support/shown.ts'
import { toOption } from './alerts.ts'
import { useWatched } from './watched.ts'

const { app, watched } = useWatched()

/** Returns the app's direct messages to a person, oldest first. */
const directTo = ({ user }: Actor) => {
  const channel = app.slack.directChannel(user)?.id
  return app.slack.messages().filter((one) => one.channel === channel && one.onlyFor === undefined)
}

const addDirect = async (by = app.member) => by.submit(await by.open('/calls alert'), { where: 'direct' })

it('an alert for direct messages posts to the person who saves it, and is closed there', async () => {
  const member = app.slack.as(app.slack.addPerson({ id: 'W0GRID', name: 'ada' }))
  const saved = await addDirect(member)
  expect(saved).toShow('Saved.', `Direct messages to <@${member.user.id}>: each missed call`)
  await watched.missed(1)
  const [post, ...others] = directTo(member)
  expect(others).toEqual([])
  expect(post).toShow('Missed call at ')
  expect(getActions(post!)).toEqual(['alert.done', 'alert.show', 'alert.menu'])
  await watched.missed(1)
  expect(directTo(member).map(({ text }) => text.slice(0, 14))).toEqual(['2 missed calls'])
  await watched.finish(post!)
  await watched.missed(1)
  expect(directTo(member)).toHaveLength(2)
  const list = await member.command('/calls alerts')
  expect(list).toShow(`Direct messages to <@${member.user.id}>: each missed call`)
  expect(await member.submit(await member.open(list, 'calls.alert.menu', 'Edit…'))).toShow('Saved.')
  expect(await addDirect(member)).not.toShow('Another alert here')
  expect(await watched.alerts.audit()).toShow(`set up an alert in direct messages to <@${member.user.id}>`)
  expect(app.slack.callsTo('conversations.info')).toEqual([])
})

it("changing another person's alert sends no messages", async () => {
  const { admin, member } = app
  await addDirect()
  const list = await admin.command('/calls alerts')
  const only = `Only <@${member.user.id}> can do that. An administrator can mute or delete this alert`
  const edit = await admin.open(list, 'calls.alert.menu', 'Edit…')
  expect(await admin.submit(edit, { lines: toOption('+442079460042') })).toShow(only)
  expect(await admin.submit(edit, { where: 'direct' })).toShow(only)
  const muted = await admin.click(list, 'calls.alert.menu', 'Mute until turned on')
  expect(muted).toShow('Muted: ')
  expect(await admin.click(muted, 'calls.alert.menu', 'Turn on')).toShow(only)
  // A record with other content, perhaps of another version, is unreadable.
  await app.restart(() =>
    app.stored.setValue('alerts-%', `json_remove(json_set(value, '$.owner', '${admin.user.id}'), '$.muted')`),
  )
  watched.miss(1)
  await watched.watch(2)
  expect(directTo(member)).toEqual([])
  expect(directTo(admin).filter(({ text }) => text.startsWith('Missed call'))).toEqual([])
})
