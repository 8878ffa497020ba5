import { beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { rowsOf } from '../../support/shown.ts'
import { minute, Watched } from './watched.ts'

const app = useApp()
const watched = new Watched(app)
beforeEach(() => watched.connect())

describe('a missed-call alert', () => {
  it('is posted at once, says the line, and adds what follows within ten minutes', async () => {
    const channel = await watched.add()
    watched.miss(1)
    await watched.pass(minute)
    const [first] = watched.posts(channel)
    expect(first).toShow('Missed call on ')
    expect(rowsOf(first!)).toHaveLength(1)
    watched.miss(3)
    await watched.pass(minute)
    const [changed, ...others] = watched.posts(channel)
    expect(others).toEqual([])
    expect(changed).toShow('4 missed calls since ')
    expect(rowsOf(changed!)).toHaveLength(4)
    expect(changed).not.toShow('Late')
    await watched.pass(10 * minute)
    watched.miss(1)
    await watched.pass(minute)
    expect(watched.posts(channel)).toHaveLength(2)
  })

  it('is taken by the first one who clicks, and closed', async () => {
    const { admin, member } = app
    const channel = await watched.add()
    watched.miss(2)
    await watched.pass(minute)
    const [post] = watched.posts(channel)
    await member.press(post!, 'alert.take')
    await member.sees(post!, 'Taken by *member* at ')
    expect(await admin.click(post!, 'alert.take')).toShow('member took it already, at ')
    await admin.press(post!, 'alert.done')
    const done = await admin.sees(post!, 'Done by *admin* at ')
    expect(done).toShow('Taken by *member*', '2 missed calls since')
    expect(await member.click(done, 'alert.show')).toShow('Missed incoming calls')
  })
})
