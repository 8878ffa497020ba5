import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { Browser, withOAuth } from '../../support/oauth.ts'

const app = useApp(withOAuth)

it('queues requests of a busy workspace without delaying others', async () => {
  const { slack, sandbox, admin, member } = app
  const { team, people } = slack.addTeam()
  const other = slack.as(people.admin)
  await new Browser(slack).install({ team: slack.workspace, user: admin.user })
  await new Browser(slack).install({ team, user: other.user })
  await app.connect()
  await app.connect(sandbox.accounts.lively, other)
  sandbox.requests.clear()
  const { promise: until, resolve: answer } = Promise.withResolvers<void>()
  sandbox.faults.next({ kind: 'hold', until }, { operation: 'incoming', times: 4 })
  const many = Array.from({ length: 10 }, (_, n) => member.command(`/calls page:${n + 1}`))
  await expect.poll(() => sandbox.requests.count('incoming')).toBe(4)
  expect(await other.command('/calls outgoing')).toShow('outgoing calls')
  answer()
  for (const message of await Promise.all(many)) expect(message).toShow('Page ')
  expect(sandbox.requests.count('incoming')).toBe(10)
})
