import { describe, expect, it } from 'vitest'
import { minuteMs } from '../../../src/util/units.ts'
import { Watched } from '../../features/alerts/watched.ts'
import { useApp } from '../../support/app.ts'
import { installTeam, withOAuth } from '../../support/oauth.ts'

describe('a notice', () => {
  const app = useApp(withOAuth)

  it('that Slack always limits waits longer each time, under the same id, and ends', async () => {
    const { slack, clock } = app
    const tries = () => slack.callsTo('chat.postMessage').length
    const ids = () => app.stored.all('job:notices').map(({ key }) => key)
    for (let n = 0; n < 250; n += 1) slack.rateLimitNext('chat.postMessage', 1)
    const { team } = await installTeam(slack)
    const pass = async (minutes: number) => {
      clock.ahead += minutes * minuteMs
      await app.jobsDone()
    }
    await pass(0)
    const [id] = ids()
    expect(id).toContain(team.teamId)
    while (tries() < 201) {
      const before = tries()
      await pass(11)
      expect(tries()).toBe(before + 1)
      if (before < 200) expect(ids()).toEqual([id])
      if (before < 20) continue
      await pass(8)
      expect(tries()).toBe(before + 1)
    }
    expect(ids()).toEqual([])
  })

  it('that may not have arrived is sent again', async () => {
    const { slack, clock } = app
    slack.failNext('chat.postMessage', { status: 500 })
    await installTeam(slack)
    await app.jobsDone()
    clock.ahead += 11 * minuteMs
    await app.jobsDone()
    expect(slack.callsTo('chat.postMessage')).toHaveLength(2)
    expect(app.stored.all('job:notices')).toEqual([])
  })
})

describe('a notice to the owners of several alerts', () => {
  const app = useApp()

  it('is posted once in the channel if Slack refuses their direct messages', async () => {
    const { admin, member, sandbox, slack } = app
    const watched = new Watched(app)
    await watched.connect()
    const channels = [await watched.add({}, member), await watched.add({}, admin)]
    await watched.pass(minuteMs)
    const refused = { body: { ok: false, error: 'messages_tab_disabled' } }
    for (const _ of [member, admin]) slack.failNext('chat.postMessage', refused)
    sandbox.faults.always({ kind: 'status', status: 401 }, { operation: 'incoming' })
    await watched.watch(20)
    expect([watched.notices(member), watched.notices(admin)].map((sent) => sent.length)).toEqual([1, 1])
    const told = channels.flatMap((channel) => watched.told(channel).map(({ text }) => text))
    expect(told).toEqual([expect.stringContaining('no longer accepts the API key')])
  })
  it("is not repeated in a channel if Slack doesn't confirm it there", async () => {
    const { sandbox, slack } = app
    const watched = new Watched(app)
    await watched.connect()
    const channel = await watched.add({})
    await watched.pass(minuteMs)
    slack.failNext('chat.postMessage', { body: { ok: false, error: 'messages_tab_disabled' } })
    slack.failNext('chat.postMessage', { body: { ok: false, error: 'internal_error' } })
    sandbox.faults.always({ kind: 'status', status: 401 }, { operation: 'incoming' })
    await watched.watch(20)
    const inChannel = slack.callsTo('chat.postMessage').filter(({ args }) => args['channel'] === channel.id)
    expect(inChannel).toHaveLength(1)
  })
})
