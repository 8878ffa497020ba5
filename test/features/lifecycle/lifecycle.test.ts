import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Message, Team, User } from '../../../dev/slack/slack.ts'
import { useHouse } from '../../support/app.ts'
import { browse, withOAuth } from '../../support/oauth.ts'

const house = useHouse(withOAuth)
const textOf = (message: Message) => JSON.stringify([message.text, message.blocks])
const say = async (user: User, text: string, command = '/calls') =>
  (await house().slack.command(house().url, { command, text, user })).waitForMessage()

/** How many rows there are of each namespace that begin with the team's key. */
function rowsOf(team: Team): Record<string, number> {
  const db = new DatabaseSync(house().config.storeUrl.slice('sqlite:'.length), { readOnly: true })
  const key = `${team.enterpriseId ?? ''}/${team.teamId}`
  const found = db
    .prepare(
      `SELECT namespace, count(*) AS rows FROM callboard_store
       WHERE namespace NOT LIKE 'claim:%' AND namespace NOT LIKE 'latest:%' AND namespace NOT LIKE 'job:%'
       AND (key = ? OR substr(key, 1, ?) = ? OR key = ?) GROUP BY namespace`,
    )
    .all(key, key.length + 1, `${key}/`, `team/${team.teamId}`)
  db.close()
  return Object.fromEntries(found.map(({ namespace, rows }) => [String(namespace), Number(rows)]))
}

/** Connects, and leaves something in every place where something is kept. */
async function use(admin: User): Promise<void> {
  const { slack, sandbox, url } = house()
  const view = await (
    await slack.command(url, { command: '/calls', text: 'connect', user: admin })
  ).waitForView()
  const { key, secret } = sandbox.accounts.lively
  await (await slack.submit(url, { view, values: { key, secret }, user: admin })).waitForView()
  await say(admin, 'timezone Asia/Tokyo')
  await say(admin, '')
  const settings = await (
    await slack.command(url, { command: '/billing', text: 'settings', user: admin })
  ).waitForView()
  await (await slack.submit(url, { view: settings, values: {}, user: admin })).waitForView()
  const schedule = await (
    await slack.command(url, { command: '/billing', text: 'schedule', user: admin })
  ).waitForView()
  const saved = await slack.submit(url, { view: schedule, values: {}, user: admin })
  expect(JSON.stringify(await saved.waitForView())).toContain('Saved')
}

async function installed(isOrganisation = false, enterprise = {}): Promise<{ team: Team; admin: User }> {
  const { slack, url } = house()
  const { team, people } = slack.addTeam(enterprise)
  const done = await browse(slack, url).install({ team, user: people.admin, isOrganisation })
  expect(done.text).toContain('is installed')
  return { team, admin: people.admin }
}

const kept = [
  'access',
  'audit',
  'channel-settings',
  'connection',
  'credentials',
  'installations',
  'schedules',
  'table-support',
  'workspace-settings',
]

const uninstalled = { type: 'app_uninstalled' }
const revoked = { type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0BOT'] } }
/** Events carry seconds: one that comes in the same second as the installation is taken for older. */
const later = () => ({ fields: { event_time: Math.floor(Date.now() / 1000) + 5 } })

describe('the end of an installation', () => {
  it.each([
    ['app_uninstalled first', [uninstalled, revoked, uninstalled]],
    ['tokens_revoked first', [revoked, revoked, uninstalled]],
  ])('removes everything of exactly that workspace: %s', async (_, events) => {
    const { slack, url } = house()
    const one = await installed()
    const other = await installed()
    await use(one.admin)
    await use(other.admin)
    expect(Object.keys(rowsOf(one.team)).sort()).toEqual(kept)
    const before = rowsOf(other.team)
    for (const event of events) {
      expect((await slack.event(url, event, { team: one.team, ...later() })).status).toBe(200)
    }
    await expect.poll(() => rowsOf(one.team)).toEqual({})
    expect(rowsOf(other.team)).toEqual(before)
    expect(textOf(await say(one.admin, ''))).toContain('not installed in your workspace')
    expect(textOf(await say(other.admin, 'timezone'))).toContain('Tokyo')

    // A reinstallation starts clean, and what is late of the one before does it no harm.
    await browse(slack, url).install({ team: one.team, user: one.admin })
    const early = { fields: { event_time: Math.floor(Date.now() / 1000) - 60 } }
    await slack.event(url, uninstalled, { team: one.team, ...early })
    await slack.event(url, revoked, { team: one.team, ...early })
    expect(textOf(await say(one.admin, ''))).toContain('not connected')
    expect(textOf(await say(one.admin, 'timezone'))).not.toContain('Tokyo')
  })

  it('takes tokens of people for what they are', async () => {
    const { slack, url } = house()
    const { team, admin } = await installed()
    await slack.event(
      url,
      { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } },
      { team, ...later() },
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(textOf(await say(admin, ''))).toContain('not connected')
  })

  it('of an organisation: the workspaces it lists, and with its own end all of them', async () => {
    const { slack, url } = house()
    const organisation = { enterpriseId: 'E0ORG', enterpriseName: 'Org' }
    const first = await installed(false, organisation)
    const members = [slack.addTeam(organisation), slack.addTeam(organisation)] as const
    const whole = await installed(true, organisation)
    for (const { people } of members) await use(people.admin)
    await use(whole.admin)
    const [one, two] = members
    const event = { type: 'team_access_revoked', team_ids: [one.team.teamId] }
    await slack.event(url, event, { team: whole.team, ...later() })
    await expect.poll(() => rowsOf(one.team)).toEqual({})
    expect(Object.keys(rowsOf(two.team))).toContain('credentials')

    // Slack's page shows the list one level deeper than other events have theirs.
    await use(one.people.admin)
    const nested = { type: 'team_access_revoked', event }
    await slack.event(url, nested, { team: whole.team, ...later() })
    await expect.poll(() => rowsOf(one.team)).toEqual({})

    await slack.event(url, uninstalled, { team: whole.team, ...later() })
    await expect.poll(() => [rowsOf(two.team), rowsOf(whole.team)]).toEqual([{}, {}])
    expect(textOf(await say(two.people.admin, ''))).toContain('not installed')
    expect(Object.keys(rowsOf(first.team))).toEqual(['installations'])
  })
})

describe('/callboard forget', () => {
  it('asks, then deletes everything and takes the app out, for admins alone', async () => {
    const { slack, url } = house()
    const { team, admin } = await installed()
    const member = slack.addPerson({ name: 'someone' }, team)
    await use(admin)
    expect(textOf(await say(member, 'forget', '/callboard'))).toContain('Only admins')
    const asked = await say(admin, 'forget', '/callboard')
    expect(JSON.stringify(asked.blocks)).toContain('"confirm"')
    expect(textOf(asked)).toContain('and take Callboard out of it')
    const done = await slack.click(url, { message: asked, action_id: 'lifecycle.forget', user: admin })
    expect(textOf(await done.waitForMessage())).toContain('Everything that Callboard kept')
    expect(rowsOf(team)).toEqual({})
    expect(slack.callsTo('apps.uninstall')).toHaveLength(1)
    expect(textOf(await say(admin, ''))).toContain('not installed')
  })
})
