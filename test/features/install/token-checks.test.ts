import { expect, it } from 'vitest'
import { dayMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Browser, installTeam, organization, withOAuth } from '../../support/oauth.ts'

const app = useApp(withOAuth)

const countRows = (id: string) =>
  app.stored.all().filter(({ key, namespace }) => key.includes(id) && namespace !== 'job:deletions').length

/** Lets a day pass, with its check, which finds what Slack says about the token. */
async function passDay(error?: string): Promise<void> {
  const { slack, clock } = app
  const count = slack.callsTo('auth.test').length
  if (error !== undefined) slack.failNext('auth.test', { body: { ok: false, error } })
  clock.ahead += dayMs
  await slack.waitFor(() => slack.callsTo('auth.test')[count])
  await app.jobsDone()
}

it.each([
  ['a workspace', 'account_inactive', false],
  ['an organization', 'token_revoked', true],
])('deletes %s whose token is refused for a day with %s', async (_, code, isOrganization) => {
  await installTeam(app.slack)
  // It doesn't keep others from being checked.
  app.stored.setValue('installations', "'unreadable'")
  const { team, admin } = await installTeam(app.slack, { isOrganization, enterprise: organization })
  await app.connect(app.sandbox.accounts.lively, admin)
  await passDay(code)
  expect(countRows(team.teamId)).toBeGreaterThan(1)
  await passDay(code)
  expect(countRows(team.teamId) + countRows('E0ORG')).toBe(0)
  for (const text of ['Slack has refused a token for a day', '"action":"forget"'])
    expect(app.logs.join('')).toContain(text)
})

it.each([
  [[undefined, 'account_inactive']],
  [['invalid_auth', 'invalid_auth']],
  [['ratelimited', 'internal_error']],
])('keeps a workspace after the checks %j', async (codes) => {
  const { team, admin } = await installTeam(app.slack)
  await app.connect(app.sandbox.accounts.lively, admin)
  await passDay('account_inactive')
  for (const code of codes) await passDay(code)
  expect(countRows(team.teamId)).toBeGreaterThan(1)
})

it('keeps a workspace that was installed again after its token was refused', async () => {
  const { team, admin } = await installTeam(app.slack)
  await passDay('token_revoked')
  await new Browser(app.slack).install({ team, user: admin.user })
  await passDay('token_revoked')
  expect(countRows(team.teamId)).toBeGreaterThan(0)
})

it('keeps a workspace that was installed again while Slack was asked about its token', async () => {
  const { slack, clock } = app
  const { team, admin } = await installTeam(slack)
  await passDay('token_revoked')
  const { promise: until, resolve } = Promise.withResolvers<void>()
  const count = slack.callsTo('auth.test').length
  slack.failNext('auth.test', { body: { ok: false, error: 'token_revoked' }, until })
  clock.ahead += dayMs
  await slack.waitFor(() => slack.callsTo('auth.test')[count])
  await new Browser(slack).install({ team, user: admin.user })
  resolve()
  await app.jobsDone()
  expect(countRows(team.teamId)).toBeGreaterThan(0)
})

it('checks again after a restart, and deletes no earlier than after a day', async () => {
  const { team } = await installTeam(app.slack)
  await passDay('token_revoked')
  const { slack, clock } = app
  const count = slack.callsTo('auth.test').length
  // Later on the same day, because the check of the next one is planned.
  clock.ahead += (dayMs - ((Date.now() + clock.ahead) % dayMs)) / 2
  await app.restart(() => slack.failNext('auth.test', { body: { ok: false, error: 'token_revoked' } }))
  await slack.waitFor(() => slack.callsTo('auth.test')[count])
  await app.jobsDone()
  expect(countRows(team.teamId)).toBeGreaterThan(0)
  // Restarts don't multiply the checks.
  expect(app.stored.all('job:token-checks')).toHaveLength(1)
})
