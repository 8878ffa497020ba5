import { describe, expect, it } from 'vitest'
import type { Actor, Team } from '../../../dev/slack/slack.ts'
import { hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Browser, installTeam, withOAuth } from '../../support/oauth.ts'

const app = useApp(withOAuth)

const countPendingDeletions = () => app.stored.all('job:deletions').length

/** Counts a team's stored rows by namespace, except the job of the repeated deletion. */
function countRows({ teamId }: Team): Record<string, number> {
  const found = app.stored
    .all()
    .filter(({ key, value }) => `${key}/`.includes(`/${teamId}/`) || value.includes(`"${teamId}"`))
    .filter(({ namespace }) => namespace !== 'job:deletions')
  return Object.fromEntries(
    [...Map.groupBy(found, ({ namespace }) => namespace)].map(([name, rows]) => [name, rows.length]),
  )
}

/** Connects the account, and stores something of each type. */
async function use(admin: Actor): Promise<void> {
  const { customers } = app.sandbox.accounts.lively
  await app.connect(app.sandbox.accounts.lively, admin)
  await admin.command('/calls timezone Asia/Tokyo')
  await admin.click(await admin.command('/calls'), 'calls.page.next')
  await admin.submit(await admin.open('/billing settings'))
  // 12 hours from now in Tokyo, so that no test reaches the time.
  const time = new Date(Date.now() + (9 + 12) * hourMs).toISOString().slice(11, 16)
  expect(await admin.submit(await admin.open('/billing schedule'), { time })).toShow('Saved')
  expect(await admin.submit(await admin.open('/calls schedule'), { time })).toShow('Saved')
  await admin.submit(await admin.open('/billing post'))
  const invoices = await admin.open(`/billing delete-customer ${customers[0]!.id}`)
  await admin.submit(invoices, { again: customers[0]!.id })
  await admin.sees(invoices, 'deleted.')
}

const kept = [
  'access',
  'audit-log',
  'channel-settings',
  'claim:invoices',
  'claim:post',
  'credentials',
  'installations',
  'report-schedules',
  'report-schedules-due',
  'schedules',
  'schedules-due',
  'workspace-settings',
]

const uninstalled = { type: 'app_uninstalled' }
const revoked = { type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0BOT'] } }

/** Without the organization, as Slack documents it: https://docs.slack.dev/reference/events/app_uninstalled */
const alone = { enterprise_id: undefined, authorizations: undefined }
const organization = { enterpriseId: 'E0ORG', enterpriseName: 'Org' }

/** @param seconds from now. Events carry whole seconds; one in the second of the installation counts as older. */
const tell = (team: Team, event: Readonly<Record<string, unknown>>, seconds = 5, fields = {}) =>
  app.slack.event(app.url, event, {
    team,
    fields: { event_time: Math.floor(Date.now() / 1000) + seconds, ...fields },
  })

describe('the end of an installation', () => {
  it.each([
    ['app_uninstalled first', [uninstalled, revoked, uninstalled]],
    ['tokens_revoked first', [revoked, revoked, uninstalled]],
  ])('deletes all data of exactly that workspace: %s', async (_, events) => {
    const one = await installTeam(app.slack)
    const other = await installTeam(app.slack)
    await use(one.admin)
    await use(other.admin)
    expect(Object.keys(countRows(one.team)).sort()).toEqual(kept)
    const before = countRows(other.team)
    for (const event of events) expect((await tell(one.team, event)).status).toBe(200)
    await expect.poll(() => countRows(one.team)).toEqual({})
    expect(countRows(other.team)).toEqual(before)
    expect(await one.admin.command('/calls')).toShow("isn't installed in your workspace")
    expect(await other.admin.command('/calls timezone')).toShow('Tokyo')

    // A reinstallation has no earlier data, and late events of the earlier installation don't affect it.
    await new Browser(app.slack).install({ team: one.team, user: one.admin.user })
    await tell(one.team, uninstalled, -60)
    await tell(one.team, revoked, -60)
    expect(await one.admin.command('/calls')).toShow("isn't connected")
    expect(await one.admin.command('/calls timezone')).not.toShow('Tokyo')
  })

  it.each([
    ['of its own', false],
    ["of its organization's", true],
  ])('deletes all data of a workspace in an organization, with an installation %s', async (_, isWide) => {
    const { team, admin } = await installTeam(app.slack, { isOrganization: isWide, enterprise: organization })
    await use(admin)
    expect(Object.keys(countRows(team))).toContain('organizations')
    await tell(team, uninstalled, 5, alone)
    await expect.poll(() => countRows(team)).toEqual({})
  })

  it.each([0, 1, 2, 3, 4])(
    'is repeated by Slack if the database refuses writes after %i of them',
    async (count) => {
      const { team, admin } = await installTeam(app.slack)
      await use(admin)
      await app.jobsDone()
      const allow = app.stored.refuseAfter(count)
      for (const event of [uninstalled, revoked]) expect((await tell(team, event)).status).toBe(503)
      expect(Object.keys(countRows(team))).not.toEqual([])
      allow()
      for (const event of [uninstalled, revoked]) expect((await tell(team, event)).status).toBe(200)
      expect(countRows(team)).toEqual({})
    },
  )

  // The first workspace takes 17 writes: one for each row.
  it.each([1, 10, 18, 22, 28])(
    "of an organization is repeated after %i writes, too, though the event doesn't name it",
    async (count) => {
      const { slack } = app
      const { team } = slack.addTeam(organization)
      const whole = await installTeam(slack, { isOrganization: true, enterprise: organization })
      for (const admin of [slack.as(slack.join(whole.admin.user, team)), whole.admin]) await use(admin)
      await app.jobsDone()
      const nameless = {
        enterprise_id: undefined,
        authorizations: [{ enterprise_id: null, is_enterprise_install: true }],
      }
      const allow = app.stored.refuseAfter(count)
      expect((await tell(whole.team, uninstalled, 5, nameless)).status).toBe(503)
      allow()
      expect((await tell(whole.team, uninstalled, 5, nameless)).status).toBe(200)
      expect([team, whole.team].map(countRows)).toEqual([{}, {}])
      expect(await whole.admin.command('/calls')).toShow("isn't installed")
    },
  )

  it('deletes an account that was connected meanwhile', async () => {
    const { team, admin } = await installTeam(app.slack)
    app.clock.ahead = 30_000
    await use(admin)
    await tell(team, uninstalled)
    await expect.poll(() => countRows(team)).toEqual({})
  })

  it('is repeated after a minute, unless the app was installed again', async () => {
    const { clock, slack } = app
    const { team, admin } = await installTeam(slack)
    await use(admin)
    expect(await admin.submit(await admin.open('/calls alert'))).toShow('Saved.')
    await app.jobsDone()
    const { installations: _, ...written } = countRows(team)
    expect(Object.keys(written)).toEqual(
      expect.arrayContaining([
        ...kept.filter((kind) => kind !== 'installations'),
        expect.stringMatching(/^alerts-/),
      ]),
    )
    const all = app.stored
      .all()
      .filter(({ namespace, key }) => namespace !== 'installations' && `${key}/`.includes(`/${team.teamId}/`))
    await tell(team, uninstalled)
    await expect.poll(countPendingDeletions).toBe(1)
    // Like work that is still running.
    app.stored.write(all)
    // The job survives a restart.
    await app.restart()
    expect(countRows(team)).toEqual(written)
    clock.ahead = 61_000
    await expect.poll(() => countRows(team)).toEqual({})
    expect(countPendingDeletions()).toBe(0)

    await tell(team, uninstalled, 400)
    await expect.poll(countPendingDeletions).toBe(1)
    await new Browser(slack).install({ team, user: admin.user })
    app.stored.write(all)
    clock.ahead += 61_000
    await app.jobsDone()
    expect(countRows(team)).toMatchObject({ 'channel-settings': 1, installations: 1 })
  })

  it('is not repeated if the organization has installed the app again', async () => {
    const { clock, slack } = app
    const isOrganization = true
    const { team, admin } = await installTeam(slack, { isOrganization, enterprise: organization })
    await use(admin)
    await tell(team, uninstalled, 0)
    await expect.poll(() => countRows(team)).toEqual({})
    clock.ahead = 30_000
    await new Browser(slack).install({ team, user: admin.user, isOrganization })
    expect(await admin.command('/calls timezone Asia/Tokyo')).toShow('Tokyo')
    clock.ahead = 61_000
    await app.jobsDone()
    expect(await admin.command('/calls timezone')).toShow('Tokyo')
  })

  it('ends running exports, and deletes them', async () => {
    const { slack, sandbox } = app
    const { team, admin } = await installTeam(app.slack)
    await app.connect(sandbox.accounts.lively, admin)
    sandbox.faults.always({ kind: 'delay', ms: 700 }, { operation: 'outgoing' })
    const commands = ['', ' missed', ' answered'].map((word) => `/calls export outgoing${word}`)
    for (const command of commands) expect(await admin.command(command)).toShow('outgoing calls')
    expect(countRows(team)).toMatchObject({ exports: 3, 'job:exports': 3 })
    await tell(team, uninstalled)
    await expect.poll(() => countRows(team), { timeout: 8000 }).toEqual({})
    sandbox.faults.clear()
    await app.jobsDone()
    expect(slack.files).toEqual([])
    expect(countRows(team)).toEqual({})
  })

  it.each([
    ['a workspace', false],
    ['an organization', true],
  ])('deletes the welcome message to %s that waits for a retry', async (_, isOrganization) => {
    app.slack.rateLimitNext('chat.postMessage', 3600)
    const { team } = await installTeam(app.slack, { isOrganization, enterprise: organization })
    const countNotices = () => app.stored.all('job:notices').length
    await expect.poll(countNotices).toBe(1)
    await tell(team, uninstalled, 0)
    await expect.poll(countNotices).toBe(0)
    expect(countRows(team)).toEqual({})
  })

  it('notes the organization of a workspace again after a failed write, and after a move', async () => {
    const noted = () => app.stored.all('organizations').map(({ value }) => JSON.parse(value).enterpriseId)
    const { team, admin } = await installTeam(app.slack, { enterprise: organization })
    const allow = app.stored.refuse('organizations')
    await admin.command('/calls')
    await app.logged('the organization of a workspace was not stored')
    allow()
    for (const enterpriseId of ['E0ORG', 'E0NEW']) {
      Object.assign(team, { enterpriseId })
      await admin.command('/calls')
      await expect.poll(noted).toEqual([enterpriseId])
    }
  })

  it('keeps everything of a workspace that joins an organization', async () => {
    const { team, admin } = await installTeam(app.slack)
    await use(admin)
    Object.assign(team, organization)
    expect(await admin.command('/calls timezone')).toShow('Tokyo')
    expect(await admin.command('/billing schedules')).toShow('each billing date')
    expect(await admin.command('/calls')).toShow('Page 1 of')
    await expect.poll(() => countRows(team)).toMatchObject({ organizations: 1 })
  })

  it('ignores revoked tokens of people', async () => {
    const { team, admin } = await installTeam(app.slack)
    await tell(team, { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } })
    await app.logged('"interaction":"event tokens_revoked"')
    expect(await admin.command('/calls')).toShow("isn't connected")
  })

  it('of an organization affects the listed workspaces, or all of them', async () => {
    const { slack } = app
    const first = await installTeam(app.slack, { enterprise: organization })
    await first.admin.command('/calls')
    await expect.poll(() => countRows(first.team)).toMatchObject({ organizations: 1 })
    const [one, two] = [slack.addTeam(organization), slack.addTeam(organization)]
    const whole = await installTeam(app.slack, { isOrganization: true, enterprise: organization })
    // Slack returns no roles in the workspaces; the installer manages both.
    const [adminOfOne, adminOfTwo] = [one, two].map(({ team }) =>
      slack.as(slack.join(whole.admin.user, team)),
    )
    if (!adminOfOne || !adminOfTwo) throw new Error('unreachable')
    for (const admin of [adminOfOne, adminOfTwo, whole.admin]) await use(admin)
    const event = { type: 'team_access_revoked', team_ids: [one.team.teamId] }
    await tell(whole.team, event)
    await expect.poll(() => countRows(one.team)).toEqual({})
    expect(Object.keys(countRows(two.team))).toContain('credentials')

    // https://docs.slack.dev/reference/events/team_access_revoked
    await use(adminOfOne)
    const nested = { team_id: null, enterprise_id: 'E0ORG', api_app_id: whole.team.appId, event }
    await tell(whole.team, nested, 5)
    await expect.poll(() => countRows(one.team)).toEqual({})

    // Slack may repeat the event after the workspace was granted access again.
    await use(adminOfOne)
    await tell(whole.team, nested, -60)
    await app.logged('"interaction":"event team_access_revoked"', 3)
    expect(Object.keys(countRows(one.team))).toContain('credentials')
    app.clock.ahead = 120_000
    await new Browser(slack).install({ team: whole.team, user: whole.admin.user, isOrganization: true })
    await tell(whole.team, nested, 60)
    await app.logged('"interaction":"event team_access_revoked"', 4)
    expect(Object.keys(countRows(one.team))).toContain('credentials')

    await tell(whole.team, uninstalled, 125)
    const teams = [one.team, two.team, whole.team]
    await expect.poll(() => teams.map(countRows)).toEqual([{}, {}, {}])
    expect(await adminOfTwo.command('/calls')).toShow("isn't installed")
    // A workspace with its own installation keeps it.
    expect(countRows(first.team)).toMatchObject({ installations: 1, organizations: 1 })
  })
})

describe('/callboard forget', () => {
  it('asks, then deletes everything and uninstalls the app, only for admins', async () => {
    const { slack } = app
    const { team, admin } = await installTeam(app.slack)
    const member = slack.as(slack.addPerson({ name: 'someone' }, team))
    await use(admin)
    expect(Object.keys(countRows(team)).sort()).toEqual(kept)
    expect(await member.command('/callboard forget')).toShow('Only administrators can do that')
    const question = await admin.command('/callboard forget')
    expect(JSON.stringify(question.blocks)).toContain('"confirm"')
    expect(question).toShow('the audit log for good, and uninstalls Callboard')
    expect(await admin.click(question, 'lifecycle.forget')).toShow(
      'Callboard deleted everything it stored about this workspace',
    )
    expect(countRows(team)).toEqual({})
    await slack.waitFor(() => slack.callsTo('apps.uninstall')[0])
    // Slack doesn't show messages of a removed app, so the reply is sent before the removal.
    const order = slack.calls.map(({ method }) => method)
    expect(order.lastIndexOf('response_url')).toBeLessThan(order.indexOf('apps.uninstall'))
    expect(slack.callsTo('response_url').at(-1)?.error).toBeUndefined()
    expect(await admin.command('/calls')).toShow("isn't installed")
  })

  it('removes the app even if Slack refuses the reply', async () => {
    const { slack } = app
    const { team, admin } = await installTeam(app.slack)
    const question = await admin.command('/callboard forget')
    slack.failNext('response_url', { status: 404, body: { ok: false, error: 'used_url' } })
    await admin.press(question, 'lifecycle.forget')
    await slack.waitFor(() => slack.callsTo('apps.uninstall')[0])
    expect(countRows(team)).toEqual({})
  })
})
