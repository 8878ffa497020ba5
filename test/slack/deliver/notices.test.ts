import { expect, it } from 'vitest'
import { minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { installTeam, withOAuth } from '../../support/oauth.ts'

const app = useApp(withOAuth)

it('a notice that Slack always limits waits longer each time, under a bounded id, and ends', async () => {
  const { slack, clock } = app
  const tries = () => slack.callsTo('chat.postMessage').length
  const ids = () => app.stored.all('job:notices').map(({ key }) => key.length)
  for (let n = 0; n < 250; n += 1) slack.rateLimitNext('chat.postMessage', 1)
  const { team } = await installTeam(slack)
  const pass = async (minutes: number) => {
    clock.ahead += minutes * minuteMs
    await app.jobsDone()
  }
  await pass(0)
  const [idLength = 0] = ids()
  expect(idLength).toBeGreaterThan(team.teamId.length)
  while (tries() < 201) {
    const before = tries()
    await pass(11)
    expect(tries()).toBe(before + 1)
    for (const length of ids()) expect(Math.abs(length - idLength)).toBeLessThanOrEqual(1)
    if (before < 20) continue
    await pass(8)
    expect(tries()).toBe(before + 1)
  }
  expect(ids()).toEqual([])
  await app.logged('a notice was dropped')
})
