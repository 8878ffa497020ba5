import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../dev/slack/slack.ts'
import { dayMs, minuteMs } from '../../../src/util/units.ts'
import { useWatched } from './watched.ts'

const { app, watched } = useWatched({
  config: { metricsToken: 'a token for tests' },
  runtime: { enqueueShardsEveryMs: 50 },
})

/** Replaces stored values while the process is down. */
const spoil = (namespaces: string, value: string, containing?: string) =>
  app.restart(() => app.stored.setValue(namespaces, value, containing))

/** Counts the channel's messages after a minute. */
async function countLater(channel: Channel): Promise<number> {
  await watched.pass(minuteMs)
  return watched.posts(channel).length
}

describe('no alert stops permanently', () => {
  const namespaces = ['polls-%', 'alert-messages', '%-settings', 'job:%']

  it.each(namespaces)('if a row of %s is unreadable', async (namespace) => {
    const channel = await watched.add()
    await app.slack.as(app.member.user, { channel }).command('/calls timezone Asia/Tokyo')
    watched.miss(1)
    await watched.watch(2)
    const before = watched.posts(channel).length
    await spoil(namespace, "'no JSON'")
    await watched.watch(11)
    watched.miss(1)
    await expect.poll(() => countLater(channel)).toBeGreaterThan(before)
    if (namespace !== 'alert-messages') await app.logged('a stored record is malformed')
  })

  it.each([
    ['an account', 'polls-%', "json_set(value, '$.since', 2e14, '$.list.readAt', 2e14)"],
    ['the settings', 'workspace-settings', `'{"value":{"zone":"Mars/Olympus"}}'`],
  ])('if a row of %s has absurd values', async (_, namespace, value) => {
    const channel = await watched.add()
    await spoil(namespace, value)
    await watched.watch(1)
    await watched.missed(1)
    expect(watched.posts(channel)).toHaveLength(1)
  })

  it('if another alert is unreadable, which is counted, logged and shown in the list', async () => {
    const { id } = await watched.add()
    const channel = await watched.add()
    await spoil('alerts-%', "'no JSON'", id)
    await watched.missed(1)
    expect(watched.posts(channel)).toHaveLength(1)
    const list = await watched.alerts.list()
    expect(list).toShow("⚠ Some alerts can't be read, so they post nothing.", `<#${channel.id}>`)
    expect(list).not.toShow(`<#${id}>`)
    await app.member.sees(await app.member.openHome(), "⚠ Some alerts can't be read")
    await app.logged('a stored record is malformed')
    app.sandbox.faults.always({ kind: 'status', status: 401 }, { operation: 'incoming' })
    await watched.watch(1)
    const metrics = await app.readMetrics()
    expect(metrics).toMatch(/^callboard_alert_looks_total{outcome="ok"} [1-9]/m)
    expect(metrics).toContain('callboard_alert_looks_total{outcome="credentials-rejected"} 1')
    expect(metrics).toContain('callboard_alert_messages_total{outcome="sent"} 1')
    expect(metrics).toMatch(/^callboard_alert_calls_total 1$/m)
    expect(metrics).toContain('callboard_malformed_rows_total{kind="alerts"} 1')
  })

  it('if the key and secret are unreadable: its owner is told, and it resumes after a reconnect', async () => {
    const channel = await watched.add()
    await spoil('credentials', "'no JSON'")
    await watched.watch(2)
    expect(watched.notices()).toHaveLength(1)
    await watched.connect()
    await watched.missed(1)
    expect(watched.posts(channel)).toHaveLength(1)
  })

  it('if the clock was two days ahead for a moment', async () => {
    const channel = await watched.add()
    await watched.missed(1)
    await watched.pass(2 * dayMs)
    await watched.missed(1)
    const another = await watched.add()
    app.clock.ahead -= 2 * dayMs
    const before = watched.posts(channel).length
    await watched.pass(11 * minuteMs)
    watched.miss(1)
    // The job that was enqueued meanwhile waits for two days.
    await expect.poll(() => countLater(channel), { timeout: 8000 }).toBeGreaterThan(before)
    expect(watched.posts(another)).toHaveLength(1)
  })
})
