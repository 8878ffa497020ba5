import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { Browser, withOAuth } from '../../support/oauth.ts'

const app = useApp(withOAuth)

it('one workspace that asks for too much is told to wait, and another one is not slowed', async () => {
  const { slack, sandbox, admin, member } = app
  const { team, people } = slack.addTeam()
  const other = slack.as(people.admin)
  await new Browser(slack).install({ team: slack.workspace, user: admin.user })
  await new Browser(slack).install({ team, user: other.user })
  await app.connect()
  await app.connect(sandbox.accounts.lively, other)
  // The four that are under way, for as long as the others come.
  sandbox.faults.next({ kind: 'delay', ms: 2000 }, { operation: 'incoming', times: 4 })
  const many = Array.from({ length: 30 }, (_, n) => member.command(`/calls page:${n + 1}`))
  await expect.poll(() => sandbox.requests.count('incoming')).toBe(4)
  const start = performance.now()
  expect(await other.command('/calls outgoing')).toShow('Outgoing calls')
  expect(performance.now() - start).toBeLessThan(1200)
  const answers = (await Promise.all(many)).map((message) => JSON.stringify(message))
  const refused = answers.filter((text) => text.includes('Too many requests'))
  expect(refused).toHaveLength(6)
  expect(refused.filter((text) => text.includes('Try again'))).toHaveLength(6)
})
