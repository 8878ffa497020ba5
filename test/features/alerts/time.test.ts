import { beforeEach, describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Watched } from './watched.ts'

const app = useApp()
const watched = new Watched(app)
beforeEach(() => watched.connect())

/** Returns the offset of the latest request. */
const askedOffset = () => app.sandbox.requests.entries('incoming').at(-1)?.params['timezone']

describe('missed calls are posted once', () => {
  it('around midnight', async () => {
    watched.setTime('23:50')
    const channel = await watched.add()
    watched.miss(1)
    await watched.watch(5)
    watched.miss(24)
    // No poll before midnight.
    await watched.pass(9 * minuteMs)
    watched.miss(1)
    await watched.watch(2)
    expect(watched.posts(channel).at(-1)).toShow('25 missed calls since', ', 23:5')
    const total = watched.posts(channel).reduce((sum, post) => sum + countIn(post.text), 0)
    expect(total).toBe(26)
    await watched.pass(5 * hourMs)
    await watched.watch(8)
    expect(watched.posts(channel).reduce((sum, post) => sum + countIn(post.text), 0)).toBe(26)
  })

  it('after a change of time zone, in the new one', async () => {
    const { admin, slack } = app
    watched.setTime('12:00')
    const channel = await watched.add()
    watched.miss(2)
    await watched.pass(minuteMs)
    expect(watched.posts(channel)[0]).toShow('2 missed calls since 12:00')
    await slack.as(admin.user, { channel }).command('/calls timezone +05:00')
    await watched.watch(2)
    watched.miss(1)
    await watched.pass(minuteMs)
    const posts = watched.posts(channel).filter(({ text }) => text.includes('issed call'))
    expect(posts).toHaveLength(1)
    expect(posts[0]).toShow('3 missed calls since 17:00', 'Times in UTC+05:00')
    // Polls use the workspace's days.
    expect(askedOffset()).toBe('+00:00')
    const { key, secret } = watched.account
    const zone = { text: { type: 'plain_text', text: 'Auckland' }, value: 'Pacific/Auckland' }
    const modal = await admin.submit(await admin.open('/calls connect'), { key, secret, zone })
    await admin.sees(modal, 'Connected')
    await watched.watch(2)
    expect(askedOffset()).toMatch(/^\+1[23]:00$/)
    watched.miss(1)
    await watched.pass(minuteMs)
    const now = watched.posts(channel).filter(({ text }) => text.includes('issed call'))
    expect(now).toHaveLength(1)
    expect(now[0]).toShow('4 missed calls since')
  })
})

/** Returns the number of calls that a message shows. */
function countIn(text: string): number {
  return Number(/^(\d+) missed calls/.exec(text)?.[1] ?? (text.startsWith('Missed call') ? 1 : 0))
}
