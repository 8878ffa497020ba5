import { describe, expect, it } from 'vitest'
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

  it('has one owner if people take it in the list and in the message at once', async () => {
    const { member, admin, slack } = app
    await watched.connect()
    const channel = slack.addChannel({ name: 'front-desk' })
    await member.sees(await watched.alerts.add({ channel: channel.id }, member), 'Saved.')
    watched.miss(1)
    const post = await slack.waitFor(() => watched.posts(channel)[0], 10_000)
    const openAlerts = () => member.command('/calls open')
    // The app stores the address of the message after Slack has shown it.
    await expect.poll(async () => (await openAlerts()).text).toContain('waiting since')
    const list = await openAlerts()
    await Promise.all([member.press(list, 'calls.open.take'), admin.press(post, 'alert.take')])
    const taken = await member.sees(post, 'Taken by *')
    expect(JSON.stringify(taken.blocks).match(/Taken by/g)).toHaveLength(1)
    expect(watched.posts(channel)).toHaveLength(1)
  })

  it('has one owner for each call if people take lines and all calls at once', async () => {
    const { member, admin, slack } = app
    await watched.connect()
    const [first = '', second = ''] = watched.lines
    const channel = slack.addChannel({ name: 'front-desk' })
    await member.sees(await watched.alerts.add({ channel: channel.id }, member), 'Saved.')
    watched.miss(30, { line: first })
    watched.miss(20, { line: second })
    await expect
      .poll(async () => (await member.command('/calls open')).text, { timeout: 10_000 })
      .toContain('50 missed calls are waiting')
    const post = watched.posts(channel).find(({ text }) => text.startsWith('50 missed calls'))!
    await Promise.all([
      member.press(post, 'alert.take-line.0'),
      admin.press(post, 'alert.take-line.1'),
      admin.press(post, 'alert.take-line.0'),
      member.press(post, 'alert.take'),
    ])
    await expect
      .poll(async () => (await member.command('/calls open')).text)
      .toContain('No missed calls are waiting')
    const taken = async () => {
      const { text } = await member.command('/calls taken')
      return [...text.matchAll(/^\w+ · (\d+) calls? on /gm)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      )
    }
    expect(await taken()).toBe(50)
    const isShown = () => /Taken by|ha(s|ve) (them|\d+)/.test(slack.message(post.ts)?.text ?? '')
    await expect.poll(isShown).toBe(true)
    await expect.poll(() => / waiting/.test(slack.message(post.ts)?.text ?? '')).toBe(false)
  })
})
