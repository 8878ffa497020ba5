import { expect, it } from 'vitest'
import { useHouse } from '../../support/app.ts'
import { browse, withOAuth } from '../../support/oauth.ts'

const house = useHouse(withOAuth)

it('one workspace that asks for too much is told to wait, and another one is not slowed', async () => {
  const { slack, sandbox, url } = house()
  const other = slack.addTeam()
  const { people } = slack
  for (const [team, user] of [
    [slack.workspace, people.admin],
    [other.team, other.people.admin],
  ] as const) {
    await browse(slack, url).install({ team, user })
    const view = await (await slack.command(url, { command: '/calls', text: 'connect', user })).waitForView()
    const { key, secret } = sandbox.accounts.lively
    await (await slack.submit(url, { view, values: { key, secret }, user })).waitForView()
  }
  sandbox.faults.next({ kind: 'delay', ms: 400 }, { operation: 'incoming', times: 24 })
  const many = Array.from({ length: 30 }, async (_, n) => {
    const asked = await slack.command(url, { command: '/calls', text: `page:${n + 1}`, user: people.member })
    return JSON.stringify(await asked.waitForMessage(12_000))
  })
  await expect
    .poll(() => sandbox.requests.entries().filter(({ operation }) => operation === 'incoming').length)
    .toBe(4)
  const start = performance.now()
  const quick = await slack.command(url, { command: '/calls', text: 'outgoing', user: other.people.admin })
  expect(JSON.stringify(await quick.waitForMessage())).toContain('Outgoing calls')
  expect(performance.now() - start).toBeLessThan(1200)
  const answers = await Promise.all(many)
  expect(answers.filter((text) => text.includes('Please wait a little'))).toHaveLength(6)
  expect(
    answers.filter((text) => text.includes('Please wait a little') && text.includes('Retry')),
  ).toHaveLength(6)
})
