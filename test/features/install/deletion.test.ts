import { describe, expect, it } from 'vitest'
import type { Actor, Team } from '../../../dev/slack/slack.ts'
import { hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Browser, installTeam, organization, withOAuth } from '../../support/oauth.ts'
import type { StoredRow } from '../../support/stored-rows.ts'

const app = useApp(withOAuth)

const countPendingDeletions = () => app.stored.all('job:deletions').length

const isOf = ({ teamId }: Team, { key, value }: StoredRow) =>
  `${key}/`.includes(`/${teamId}/`) || value.includes(`"${teamId}"`)

/** Counts a team's stored rows by namespace, except the job of the repeated deletion. */
function countRows(team: Team): Record<string, number> {
  const rows = app.stored.all().filter((row) => isOf(team, row) && row.namespace !== 'job:deletions')
  const byNamespace = Map.groupBy(rows, ({ namespace }) => namespace)
  return Object.fromEntries(byNamespace.entries().map(([name, { length }]) => [name, length]))
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

const settings = 'access audit-log channel-settings credentials installations workspace-settings'
const posts = 'claim:invoices claim:post report-schedules report-schedules-due schedules schedules-due'
const kept = `${settings} ${posts}`.split(' ').sort()

const uninstalled = { type: 'app_uninstalled' }
const revoked = { type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0BOT'] } }

/** Fields of an event that names no organization, as Slack documents it: https://docs.slack.dev/reference/events/app_uninstalled */
const alone = { enterprise_id: undefined, authorizations: undefined }

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
    const ofPeople = { type: 'tokens_revoked', tokens: { oauth: ['U1'] } }
    expect((await tell(one.team, ofPeople)).status).toBe(200)
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
    // Without its own installation, a workspace whose account was connected after the event is in use again.
    app.clock.ahead = isWide ? 0 : 30_000
    await use(admin)
    expect(Object.keys(countRows(team))).toContain('organizations')
    await tell(team, uninstalled, 5, alone)
    await expect.poll(() => countRows(team)).toEqual({})
    // After another installation, its organization is stored again: the next deletion needs it.
    await new Browser(app.slack).install({ team, user: admin.user, isOrganization: isWide })
    await admin.command('/calls')
    await expect.poll(() => countRows(team)).toMatchObject({ organizations: 1 })
  })

  it.each([0, 1, 2, 3, 4])(
    'is repeated by Slack if the database refuses writes after %i of them',
    async (count) => {
      const { team, admin } = await installTeam(app.slack)
      await use(admin)
      await app.jobsDone()
      const allow = app.stored.refuseAfter(count)
      for (const event of [uninstalled, revoked]) expect((await tell(team, event)).status).toBe(503)
      allow()
      for (const event of [uninstalled, revoked]) expect((await tell(team, event)).status).toBe(200)
      expect(countRows(team)).toEqual({})
    },
  )

  // The first workspace takes 17 writes: one for each row.
  it.each([1, 10, 18, 22, 28])(
    'is repeated for an organization after %i writes, too, though the event only names its first workspace',
    async (count) => {
      const { slack } = app
      const { team } = slack.addTeam(organization)
      const whole = await installTeam(slack, { isOrganization: true, enterprise: organization })
      for (const admin of [slack.as(slack.join(whole.admin.user, team)), whole.admin]) await use(admin)
      await app.jobsDone()
      const nameless = { ...alone, authorizations: [{ enterprise_id: null, is_enterprise_install: true }] }
      const allow = app.stored.refuseAfter(count)
      expect((await tell(team, uninstalled, 5, nameless)).status).toBe(503)
      allow()
      expect((await tell(team, uninstalled, 5, nameless)).status).toBe(200)
      expect([team, whole.team].map(countRows)).toEqual([{}, {}])
      expect(await whole.admin.command('/calls')).toShow("isn't installed")
    },
  )

  /** Uninstalls the app, and writes what it had, like work that is still running. */
  async function uninstallDuringWork(): Promise<{ team: Team; admin: Actor; written: object }> {
    const { team, admin } = await installTeam(app.slack)
    await use(admin)
    expect(await admin.submit(await admin.open('/calls alert'))).toShow('Saved.')
    await app.jobsDone()
    const { installations: _, ...written } = countRows(team)
    const kinds = kept.filter((kind) => kind !== 'installations')
    expect(Object.keys(written)).toEqual(expect.arrayContaining(kinds))
    const rows = app.stored.all().filter((row) => row.namespace !== 'installations' && isOf(team, row))
    await tell(team, uninstalled)
    await expect.poll(countPendingDeletions).toBe(1)
    app.stored.write(rows.filter(({ key }) => `${key}/`.includes(`/${team.teamId}/`)))
    return { team, admin, written }
  }

  it('is repeated after a minute, even after a restart', async () => {
    const { team, written } = await uninstallDuringWork()
    await tell((await installTeam(app.slack)).team, uninstalled)
    expect(countPendingDeletions()).toBe(2)
    await app.restart()
    expect(countRows(team)).toEqual(written)
    app.clock.ahead = 61_000
    await expect.poll(() => countRows(team)).toEqual({})
    expect(countPendingDeletions()).toBe(0)
  })

  it.each([
    ['', false],
    [', even if its record is unreadable', true],
  ])('is not repeated if the app was installed again%s', async (_, isUnreadable) => {
    const { team, admin } = await uninstallDuringWork()
    await new Browser(app.slack).install({ team, user: admin.user })
    if (isUnreadable) await app.restart(async () => app.stored.setValue('installations', "'{}'"))
    app.clock.ahead = 61_000
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
    // A repeated event is of the earlier installation.
    await tell(team, uninstalled, 0)
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
    for (let n = 0; n < 9; n++) app.slack.rateLimitNext('chat.postMessage', 3600)
    const { team } = await installTeam(app.slack, { isOrganization, enterprise: organization })
    const notices = () => app.stored.all('job:notices').map(({ value }) => value)
    await expect.poll(() => notices().join()).toMatch(/"failed":[1-9]/)
    // The retry would drop the notice, because the app isn't installed.
    app.clock.ahead = -60_000
    await tell(team, uninstalled, 0)
    await expect.poll(notices).toEqual([])
    expect(countRows(team)).toEqual({})
  })

  it('keeps everything of a workspace that joins an organization or moves, and notes it even after a failed write', async () => {
    const noted = () => app.stored.all('organizations').map(({ value }) => JSON.parse(value).enterpriseId)
    const { team, admin } = await installTeam(app.slack)
    await use(admin)
    Object.assign(team, organization)
    const allow = app.stored.refuse('organizations')
    expect(await admin.command('/calls timezone')).toShow('Tokyo')
    await app.logged('the organization of a workspace was not stored')
    allow()
    for (const enterpriseId of ['E0ORG', 'E0NEW']) {
      Object.assign(team, { enterpriseId })
      expect(await admin.command('/calls')).toShow('Page 1 of')
      await expect.poll(noted).toEqual([enterpriseId])
    }
    expect(await admin.command('/billing schedules')).toShow('each billing date')
    // Another process may have deleted it.
    app.stored.delete('organizations')
    app.clock.ahead = hourMs
    await admin.command('/calls help')
    await expect.poll(noted).toEqual(['E0NEW'])
  })

  /** An organization with two workspaces beside the one where its app was installed, all of them in use. */
  async function useOrganization() {
    const { slack } = app
    const [one, two] = [slack.addTeam(organization).team, slack.addTeam(organization).team]
    const whole = await installTeam(slack, { isOrganization: true, enterprise: organization })
    // Slack returns no roles in the workspaces; the installer manages both.
    const [adminOfOne, adminOfTwo] = [one, two].map((team) => slack.as(slack.join(whole.admin.user, team)))
    for (const admin of [adminOfOne!, adminOfTwo!, whole.admin]) await use(admin)
    return { whole, one, two, adminOfOne: adminOfOne!, adminOfTwo: adminOfTwo! }
  }

  const hasCredentials = (team: Team) => 'credentials' in countRows(team)

  it("deletes the workspaces from which an organization removes the app, in both of Slack's payloads", async () => {
    const { whole, one, two, adminOfOne } = await useOrganization()
    const event = { type: 'team_access_revoked', team_ids: [one.teamId, two.teamId] }
    await app.restart(async () => app.stored.setValue('credentials', "'{}'"))
    expect((await tell(whole.team, event)).status).toBe(200)
    expect([one, two].map(countRows)).toEqual([{}, {}])
    expect(hasCredentials(whole.team)).toBe(true)
    // https://docs.slack.dev/reference/events/team_access_revoked
    await use(adminOfOne)
    const nested = { team_id: null, enterprise_id: 'E0ORG', api_app_id: whole.team.appId, event }
    await tell(whole.team, nested)
    await expect.poll(() => countRows(one)).toEqual({})

    // Slack may repeat the event after the workspace was granted access again.
    app.clock.ahead = 120_000
    await app.jobsDone()
    await use(adminOfOne)
    await tell(whole.team, nested, 60)
    await app.logged('"interaction":"event team_access_revoked"', 3)
    expect(hasCredentials(one)).toBe(true)
  })

  it('deletes all workspaces of an organization, and none with an installation of its own or elsewhere', async () => {
    const other = { enterprise: { enterpriseId: 'E0OTHER', enterpriseName: 'Other' }, isOrganization: true }
    const elsewhere = await installTeam(app.slack, other)
    expect(await elsewhere.admin.command('/calls timezone Asia/Tokyo')).toShow('Tokyo')
    const own = await installTeam(app.slack, { enterprise: organization })
    await own.admin.command('/calls')
    await expect.poll(() => countRows(own.team)).toMatchObject({ organizations: 1 })
    const { whole, one, two, adminOfTwo } = await useOrganization()
    // Slack may name an organization in place of a workspace.
    await tell(whole.team, uninstalled, 5, { ...alone, team_id: 'E0ORG' })
    await expect.poll(() => [one, two, whole.team].map(countRows)).toEqual([{}, {}, {}])
    expect(app.logs.join('')).toContain('"action":"forget","enterprise":"E0ORG"')
    expect(await adminOfTwo.command('/calls')).toShow("isn't installed")
    expect(countRows(own.team)).toMatchObject({ installations: 1, organizations: 1 })
    expect(countRows(elsewhere.team)).toMatchObject({ 'channel-settings': 1, organizations: 1 })
  })
})

describe('/callboard forget', () => {
  it('asks, then deletes everything and uninstalls the app, only for admins', async () => {
    const { slack } = app
    const { team, admin } = await installTeam(app.slack)
    const member = slack.as(slack.addPerson({ name: 'someone' }, team))
    await use(admin)
    expect(await member.command('/callboard forget')).toShow('Only administrators can do that')
    const question = await admin.command('/callboard forget')
    expect(JSON.stringify(question.blocks)).toMatch(/"confirm":.+again, install it again\..+"style":"danger"/)
    expect(question).toShow('the audit log for good, and uninstalls Callboard')
    expect(await admin.click(question, 'lifecycle.forget')).toShow('Callboard deleted everything it stored')
    expect(countRows(team)).toEqual({})
    await slack.waitFor(() => slack.callsTo('apps.uninstall')[0])
    // Slack doesn't show messages of a removed app, so the reply is sent before the removal.
    const order = slack.calls.map(({ method }) => method)
    expect(order.lastIndexOf('response_url')).toBeLessThan(order.indexOf('apps.uninstall'))
    expect(slack.callsTo('response_url').at(-1)?.error).toBeUndefined()
    expect(await admin.command('/calls')).toShow("isn't installed")
  })

  it('keeps the installation of an organization, and asks Slack about people again', async () => {
    const { slack } = app
    const { team, admin } = await installTeam(slack, { isOrganization: true, enterprise: organization })
    const member = slack.as(slack.addPerson({ name: 'someone' }, team))
    await use(admin)
    expect(await member.command('/calls')).toShow('Page 1 of')
    const question = await admin.command('/callboard forget')
    expect(question).not.toShow('uninstalls')
    expect(JSON.stringify(question.blocks)).toContain('To use Callboard again, connect it again.')
    await admin.click(question, 'lifecycle.forget')
    // What Slack said about people is forgotten, too.
    member.user.is_restricted = true
    expect(await member.command('/calls')).toShow('full members')
    // Finishes what runs after the reply.
    await app.restart()
    expect(await admin.command('/calls')).toShow("isn't connected")
    expect(slack.callsTo('apps.uninstall')).toEqual([])
  })

  it('removes the app even if Slack refuses the reply', async () => {
    const { slack } = app
    const { team, admin } = await installTeam(app.slack)
    const question = await admin.command('/callboard forget')
    slack.failNext('response_url', { status: 404, body: { ok: false, error: 'used_url' } })
    slack.failNext('apps.uninstall', { body: { ok: false, error: 'internal_error' } })
    await admin.press(question, 'lifecycle.forget')
    await app.logged('uninstalling the app failed')
    expect(slack.callsTo('apps.uninstall')).toHaveLength(1)
    expect(countRows(team)).toEqual({})
  })
})
