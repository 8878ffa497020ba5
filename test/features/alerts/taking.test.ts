import { describe, expect, it } from 'vitest'
import type { Message } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { createDatabase } from '../../support/shared/database.ts'
import { Watched } from './watched.ts'

const engines = [
  ['SQLite', async () => ({ alertEveryMs: 1000 })],
  ['PostgreSQL', async () => ({ alertEveryMs: 1000, storeUrl: await createDatabase() })],
] as const

describe.each(engines)('an alert on %s', (_, config) => {
  const app = useApp({ config, runtime: { enqueueShardsEveryMs: 100 } })
  const watched = new Watched(app)

  /** Sets up an alert, adds missed calls, and waits for their message. */
  async function postCalls(...counts: readonly number[]): Promise<Message> {
    await watched.connect()
    const channel = app.slack.addChannel({ name: 'front-desk' })
    await app.member.sees(await watched.alerts.add({ channel: channel.id }), 'Saved.')
    for (const [index, count] of counts.entries()) watched.miss(count, { line: watched.lines[index] ?? '' })
    const total = counts.reduce((sum, count) => sum + count, 0)
    // The app stores the address of the message after Slack has shown it.
    const isListed = total === 1 ? 'waiting since' : `${total} missed calls are waiting`
    await expect.poll(readOpen, { timeout: 10_000 }).toContain(isListed)
    return watched.posts(channel).at(-1)!
  }

  const readOpen = async () => (await app.member.command('/calls open')).text

  it('has one owner if people take it in the list and in the message at once', async () => {
    const { member, admin } = app
    const post = await postCalls(1)
    const list = await member.command('/calls open')
    await Promise.all([member.press(list, 'calls.open.take'), admin.press(post, 'alert.take')])
    const taken = await member.sees(post, 'Taken by *')
    expect(JSON.stringify(taken.blocks).match(/Taken by/g)).toHaveLength(1)
  })

  it('has one owner for each call if people take lines and all calls at once', async () => {
    const { member, admin, slack } = app
    const post = await postCalls(30, 20)
    await Promise.all([
      member.press(post, 'alert.take-line.0'),
      admin.press(post, 'alert.take-line.1'),
      admin.press(post, 'alert.take-line.0'),
      member.press(post, 'alert.take'),
    ])
    await expect.poll(readOpen).toContain('No missed calls are waiting')
    const { text } = await member.command('/calls taken')
    const counts = [...text.matchAll(/^\w+ · (\d+) calls? on /gm)].map(([, count]) => Number(count))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50)
    const readMessage = () => slack.message(post.ts)?.text ?? ''
    await expect.poll(readMessage).toMatch(/Taken by|ha(s|ve) (them|\d+)/)
    await expect.poll(readMessage).not.toContain(' waiting')
  })
})
