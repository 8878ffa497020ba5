import { beforeEach, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { hour, minute, Watched } from './watched.ts'

const app = useApp()
const watched = new Watched(app)
beforeEach(() => watched.connect())

const list = () => watched.planned.list()

it('says when an alert last looked and last posted, and since when there is no news and why', async () => {
  watched.setTime('10:00')
  const channel = await watched.add()
  await watched.pass(minute)
  expect(await list()).toShow(`<#${channel.id}>: each missed call`, 'Last looked: 10:01 · Nothing posted yet')
  watched.miss(1)
  await watched.pass(minute)
  expect(watched.posts(channel)).toHaveLength(1)
  expect(await list()).toShow('Last looked: 10:02 · Last posted: 10:02')
  Object.assign(channel, { isMember: false })
  await watched.pass(hour)
  watched.miss(1)
  await watched.watch(2)
  expect(await list()).toShow('Last posted: 10:02', '⚠ No news since 11:', '/invite @Callboard')
})

it('is quiet once it is paused or muted, from the next look on, and tells what is missed after that', async () => {
  watched.setTime('10:00')
  const channel = await watched.add()
  const click = async (action: string, choose?: string) => watched.planned.click(await list(), action, choose)
  const posts = () => watched.posts(channel).length
  await click('pause')
  watched.miss(1)
  await watched.watch(2)
  await click('resume')
  await watched.watch(2)
  expect(posts()).toBe(0)
  await click('mute', 'Mute for an hour')
  watched.miss(1)
  await watched.watch(2)
  await click('unmute')
  await watched.watch(2)
  expect(posts()).toBe(0)
  watched.miss(1)
  await watched.watch(1)
  expect(posts()).toBe(1)
  expect(watched.posts(channel)[0]).toShow('Missed call on ')
  await click('delete', 'Delete alert…')
  await watched.pass(hour)
  watched.miss(1)
  await watched.watch(2)
  expect(posts()).toBe(1)
})
