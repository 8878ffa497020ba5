import { describe, expect, it } from 'vitest'
import type { Message, User } from '../../../dev/slack/slack.ts'
import { openStore } from '../../../src/store/open.ts'
import { tenantKey } from '../../../src/store/tenant.ts'
import { rowsOf, useHouse } from '../../support/app.ts'
import { browse, withOAuth } from '../../support/oauth.ts'

const house = useHouse(withOAuth)
const browser = () => browse(house().slack, house().url)
const textOf = (message: Message) => JSON.stringify([message.text, message.blocks])
const mine = () => ({ team: house().slack.workspace, user: house().slack.people.admin })
const commandBy = async (user: User, text: string, command = '/calls') =>
  (await house().slack.command(house().url, { command, text, user })).waitForMessage()

async function connect(user: User, account: { key: string; secret: string }): Promise<void> {
  const { slack, url } = house()
  const view = await (await slack.command(url, { command: '/calls', text: 'connect', user })).waitForView()
  const { key, secret } = account
  const submitted = await slack.submit(url, { view, values: { key, secret }, user })
  expect(JSON.stringify(await submitted.waitForView())).toContain('Connected')
}

describe('installing by OAuth', () => {
  it('shows a page, asks Slack for the scopes of the manifest, keeps the installation and says what is next', async () => {
    const { slack } = house()
    const { page, authorizeUrl } = await browser().start()
    expect(page.status).toBe(200)
    expect(page.text).toContain('Add to Slack')
    const asked = new URL(authorizeUrl)
    expect(asked.origin).toBe(new URL(slack.apiUrl).origin)
    expect(asked.searchParams.get('scope')).toBe('commands,chat:write,channels:read,groups:read,users:read')
    expect(textOf(await commandBy(slack.people.admin, ''))).toContain('not installed in your workspace')

    const done = await browser().install(mine())
    expect(done.status).toBe(200)
    expect(done.text).toContain('Callboard is installed')
    expect(done.text).toContain('/calls connect')
    expect(textOf(await commandBy(slack.people.admin, ''))).toContain('not connected')

    // The installer is written to, once.
    const welcome = await slack.waitFor(() => slack.callsTo('chat.postMessage')[0])
    expect(welcome.args['channel']).toBe(slack.people.admin.id)
    expect(JSON.stringify(welcome.args)).toContain('/calls connect')
    const stored = JSON.stringify(house().logs)
    expect(stored).not.toContain(slack.workspace.botToken)
  })

  it('refuses a state that was used, has expired, is not ours or belongs to another browser', async () => {
    const { slack, clock } = house()
    const { page, authorizeUrl } = await browser().start()
    const back = slack.oauth.consent(authorizeUrl, mine())
    expect((await browser().return(back, '')).text).toContain('another browser')
    expect((await browser().return(back, page.cookie)).text).toContain('is installed')
    const again = await browser().return(back, page.cookie)
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('used already')])
    const forged = back.replace(/state=[^&]+/, 'state=abc.def')
    expect((await browser().return(forged, 'slack-app-oauth-state=abc.def')).text).toContain('expired')
    const late = await browser().start()
    const lateBack = slack.oauth.consent(late.authorizeUrl, mine())
    clock.ahead += 11 * 60_000
    expect((await browser().return(lateBack, late.page.cookie)).text).toContain('expired')
  })

  it('says so where it was denied, has no state, or Slack takes no code', async () => {
    const { slack } = house()
    const denied = await browser().install({ ...mine(), isDenied: true })
    expect([denied.status, denied.text]).toEqual([403, expect.stringContaining('not allowed in Slack')])
    const stateless = await browser().return(`${house().url}/slack/oauth_redirect?code=1`, '')
    expect([stateless.status, stateless.text]).toEqual([400, expect.stringContaining('/slack/install')])
    const { page, authorizeUrl } = await browser().start()
    const back = slack.oauth.consent(authorizeUrl, mine()).replace(/code=[^&]+/, 'code=forged')
    const refused = await browser().return(back, page.cookie)
    expect([refused.status, refused.text]).toEqual([500, expect.stringContaining('Nothing was installed')])
    expect(textOf(await commandBy(slack.people.admin, ''))).toContain('not installed in your workspace')
    const head = await fetch(`${house().url}/slack/install`, { method: 'HEAD' })
    expect([head.status, head.headers.get('set-cookie')]).toEqual([200, null])
  })

  it('keeps two workspaces with accounts of their own apart, their pages interleaved', async () => {
    const { slack, sandbox, url } = house()
    const other = slack.addTeam()
    await browser().install(mine())
    await browser().install({ team: other.team, user: other.people.admin })
    await connect(slack.people.admin, sandbox.accounts.lively)
    expect(textOf(await commandBy(other.people.admin, ''))).toContain('not connected')
    await connect(other.people.admin, sandbox.accounts.quiet)
    await bothApart(slack.people.admin, other.people.admin)

    // Two pages on from here and there by turns.
    let one = await commandBy(slack.people.admin, '')
    const first = rowsOf(one)
    const theirs = new Set(rowsOf(await commandBy(other.people.admin, '')).map((row) => row.join()))
    expect(theirs.size).toBeGreaterThan(0)
    let two = await commandBy(other.people.admin, 'outgoing')
    for (let turn = 0; turn < 3; turn++) {
      one = await (
        await slack.click(url, { message: one, action_id: 'calls.page.next', user: slack.people.admin })
      ).waitForMessage()
      two = await commandBy(other.people.admin, turn % 2 === 0 ? '' : 'outgoing')
      expect(rowsOf(one).filter((row) => theirs.has(row.join()))).toEqual([])
      expect(rowsOf(one).some((row) => first.some((shown) => shown.join() === row.join()))).toBe(false)
    }
    expect(sandbox.requests.entries().every(({ status }) => status === 200)).toBe(true)
    expect(textOf(two)).not.toEqual(textOf(one))
  })

  it('serves two workspaces of an organisation by one installation, apart from each other', async () => {
    const { slack, sandbox } = house()
    const organisation = { enterpriseId: 'E0ORG', enterpriseName: 'Org' }
    const teams = [slack.addTeam(organisation), slack.addTeam(organisation)] as const
    const outside = slack.addTeam()
    const [first, second] = teams
    const done = await browser().install({ team: first.team, user: first.people.admin, isOrganisation: true })
    expect(done.text).toContain('is installed')
    await connect(first.people.admin, sandbox.accounts.lively)
    await connect(second.people.admin, sandbox.accounts.quiet)
    await bothApart(first.people.admin, second.people.admin)
    expect(textOf(await commandBy(outside.people.admin, ''))).toContain('not installed in your workspace')
  })
})

/** The first has the lively account, the second the quiet one: no agent, no total and no setting of one shows in the other. */
async function bothApart(one: User, two: User): Promise<void> {
  const [mineAgents, theirs] = await Promise.all([
    commandBy(one, '', '/agents'),
    commandBy(two, '', '/agents'),
  ])
  const { lively, quiet } = house().sandbox.accounts
  for (const { name } of lively.agents.slice(0, 9)) expect(textOf(mineAgents)).toContain(name)
  for (const { id } of lively.agents) expect(textOf(theirs)).not.toContain(`"${id}"`)
  for (const { name } of quiet.agents) expect(textOf(theirs)).toContain(name)
  const [billing, other] = await Promise.all([commandBy(one, '', '/billing'), commandBy(two, '', '/billing')])
  expect(textOf(billing)).not.toEqual(textOf(other))
  await commandBy(one, 'timezone Asia/Tokyo')
  expect(textOf(await commandBy(two, 'timezone'))).not.toContain('Tokyo')
}

describe('token rotation', () => {
  const hourMs = 3_600_000

  it('refreshes once for any number of lookups, before the token expires, and after it has', async () => {
    const { slack, clock } = house()
    slack.oauth.isRotating = true
    await browser().install(mine())
    const refreshes = () =>
      slack.callsTo('oauth.v2.access').filter(({ args }) => args['grant_type'] === 'refresh_token')
    await commandBy(slack.people.admin, 'help')
    expect(refreshes()).toHaveLength(0)
    for (const ahead of [11 * hourMs, 13 * hourMs]) {
      const before = refreshes().length
      clock.ahead += ahead
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => commandBy(slack.people.owner, 'timezone')))
      for (const answer of answers) expect(textOf(answer)).toContain('Days and times here')
      expect(refreshes()).toHaveLength(before + 1)
    }
    const store = openStore({
      url: house().config.storeUrl,
      encryptionKeys: house().config.encryptionKeys,
      log: { warn() {}, error() {} },
    })
    expect(
      await store.credentials.get(tenantKey({ enterpriseId: undefined, teamId: slack.workspace.teamId })),
    ).toBeUndefined()
    await store.close()
  })

  it('goes on with a token that is still good where Slack refuses to refresh it', async () => {
    const { slack, clock } = house()
    slack.oauth.isRotating = true
    await browser().install(mine())
    clock.ahead += 11 * hourMs
    slack.failNext('oauth.v2.access', { status: 500, body: 'no' })
    expect(textOf(await commandBy(slack.people.admin, 'timezone'))).toContain('Days and times here')
  })
})
