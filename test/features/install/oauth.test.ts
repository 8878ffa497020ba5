import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Actor } from '../../../dev/slack/slack.ts'
import { describeInstall } from '../../../src/features/install/pages.ts'
import { Repository } from '../../../src/store/engine/repository.ts'
import { installationKey } from '../../../src/store/workspaces.ts'
import { useApp } from '../../support/app.ts'
import { editStore } from '../../support/edit-store.ts'
import { Browser, installTeam, organization, withOAuth } from '../../support/oauth.ts'
import { getRows } from '../../support/shown.ts'

const app = useApp(withOAuth)
const mine = () => ({ team: app.slack.workspace, user: app.slack.people.admin })
const countExchanges = () => app.slack.callsTo('oauth.v2.access').length

/** Goes to Slack's consent page and agrees. @returns what a browser brings back */
async function consent() {
  const browser = new Browser(app.slack)
  const { page, authorizeUrl } = await browser.start()
  const back = app.slack.oauth.consent(authorizeUrl, mine())
  return { browser, page, authorizeUrl, cookie: page.cookie, back }
}

describe('a state', () => {
  type Visit = readonly [back: string, cookie: string]
  const withState = (back: string, state: string): Visit => [
    back.replace(/state=[^&]+/, `state=${state}`),
    `slack-app-oauth-state=${state}`,
  ]

  const withContent = (back: string, change: (id: string, expiry: string) => string): Visit => {
    const [id = '', expiry = '', signature] = (new URL(back).searchParams.get('state') ?? '').split('.')
    return withState(back, `${change(id, expiry)}.${signature}`)
  }

  it.each<[string, (back: string, cookie: string) => Visit]>([
    ['of another browser', (back) => [back, '']],
    ["that isn't one", (back) => withState(back, 'abc.def')],
    ['with the signature of another one', (back) => withContent(back, (_, expiry) => `another.${expiry}`)],
    ['that expires later', (back) => withContent(back, (id, expiry) => `${id}.${Number(expiry) + 60_000}`)],
    [
      'that has expired',
      (back, cookie) => {
        app.clock.ahead += 11 * 60_000
        return [back, cookie]
      },
    ],
  ])('%s is refused without asking Slack', async (_, visit) => {
    const { browser, back, cookie } = await consent()
    const refused = await browser.return(...visit(back, cookie))
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Link expired')])
    expect(countExchanges()).toBe(0)
  })

  it('is used once, even if two requests come at once, or another code comes as long as it is valid', async () => {
    const { browser, back, cookie, authorizeUrl } = await consent()
    const again = app.slack.oauth.consent(authorizeUrl, mine())
    const done = await Promise.all([back, again].map((url) => browser.return(url, cookie)))
    expect(done.map(({ status }) => status).toSorted()).toEqual([200, 400])
    for (const minutes of [0, 9, 60]) {
      app.clock.ahead = minutes * 60_000
      const withCode = app.slack.oauth.consent(authorizeUrl, mine())
      const refused = await browser.return(withCode, cookie)
      const text = expect.stringContaining('If Callboard is installed')
      expect(refused).toMatchObject({ status: 400, text })
    }
    expect(countExchanges()).toBe(1)
  })

  it("isn't used by a link preview's HEAD request", async () => {
    const { browser, back, cookie } = await consent()
    const { pathname, search } = new URL(back)
    for (const sent of ['', cookie]) {
      const preview = { method: 'HEAD', headers: { cookie: sent } }
      expect((await fetch(app.url + pathname + search, preview)).status).toBe(400)
    }
    expect((await browser.return(back, cookie)).status).toBe(200)
  })
})

describe('installing by OAuth', () => {
  it('asks Slack for the scopes of the manifest, stores the installation and shows next steps', async () => {
    const { browser, page, authorizeUrl, back, cookie } = await consent()
    expect(page.status).toBe(302)
    const { origin, searchParams } = new URL(authorizeUrl)
    expect(origin).toBe(new URL(app.slack.apiUrl).origin)
    expect(searchParams.get('scope')).toBe(
      'commands,chat:write,channels:join,channels:read,files:write,groups:read,users:read,mcp:connect',
    )
    expect(await app.admin.command('/calls')).toShow("isn't installed in your workspace")
    // Someone may read Slack's page for minutes.
    app.clock.ahead = 9 * 60_000
    const done = await browser.return(back, cookie)
    expect(done.status).toBe(200)
    const { appId, teamId } = app.slack.workspace
    const inSlack = `/app_redirect?app=${appId}&amp;team=${teamId}"`
    for (const text of ['Callboard is installed', '/callboard calls connect', inSlack])
      expect(done.text).toContain(text)
    expect(app.logs.join('')).toContain(`"action":"install","team":"${teamId}"`)
    expect(await app.admin.command('/calls')).toShow("isn't connected")
  })

  it('welcomes the installer with a button that connects', async () => {
    const { admin, slack, sandbox } = app
    await new Browser(slack).install(mine())
    const direct = await slack.waitFor(() => slack.directChannel(admin.user))
    const welcome = await slack.waitFor(() => slack.messages({ channel: direct })[0])
    const modal = await admin.open(welcome, 'setup.connect')
    const { key, secret } = sandbox.accounts.quiet
    await admin.submit(modal, { key, secret })
    const connected = await admin.sees(welcome, 'Connected.')
    expect(getRows(await admin.click(connected, 'command.show-calls'))).toHaveLength(3)
    expect(slack.callsTo('chat.postMessage')).toHaveLength(1)
    // Later installations are welcomed too, and succeed without the message.
    await new Browser(slack).install(mine())
    await slack.waitFor(() => slack.callsTo('chat.postMessage')[1])
    app.stored.refuse('job:notices')
    expect(await new Browser(slack).install(mine())).toMatchObject({ status: 200 })
    await app.logged('welcome message failed')
  })

  it('explains why nothing was installed: denied, no state, no code, or a rejected code', async () => {
    const { admin, slack, url } = app
    const browser = new Browser(slack)
    const denied = await browser.install({ ...mine(), isDenied: true })
    const text = expect.stringContaining('You cancelled. Nothing was installed.')
    expect(denied).toMatchObject({ status: 403, text })
    expect(denied.text).toContain('>Support</a>')
    const stateless = await browser.return(`${url}/slack/oauth_redirect?code=1`, '')
    expect([stateless.status, stateless.text]).toEqual([400, expect.stringContaining('/slack/install')])
    const { back, cookie } = await consent()
    const refused = await browser.return(back.replace(/code=[^&]+/, 'code=forged'), cookie)
    slack.failNext('oauth.v2.access', { body: { ok: false, error: 'code_already_used' } })
    for (const { status, text } of [refused, await browser.install(mine())])
      expect([status, text]).toEqual([400, expect.stringContaining('Link expired')])
    expect(await admin.command('/calls')).toShow("isn't installed in your workspace")
  })
})

describe('strangers at the pages of the installation', () => {
  const send = async (
    query: string,
    headers: Record<string, string> = {},
    method: 'HEAD' | 'GET' = 'GET',
  ) => {
    const response = await request(`${app.url}/slack/oauth_redirect${query}`, { method, headers })
    await response.body.dump()
    return response.statusCode
  }

  it('get no 500, and write no warning or error into the log', async () => {
    const { page, authorizeUrl } = await new Browser(app.slack).start()
    const state = new URL(authorizeUrl).searchParams.get('state')
    const requests: [query: string, headers?: Record<string, string>][] = [
      [''],
      ['?code=x'],
      ['?state=x'],
      ['?error=access_denied'],
      ['?error=x&state=x'],
      ['?%'],
      ['?code=%00&state=%00'],
      ['?code=x&state=%ED%A0%80'],
      [`?code=x&state=${'a'.repeat(9000)}`],
      ['?code=x&state=x', { cookie: 'slack-app-oauth-state=%E0%A4%A' }],
      ['?code=x&state=x', { host: 'a b' }],
      ['?code=x&state=x', { host: '' }],
      [`?code=x&state=${state}`],
      [`?code=x&state=${state}`, { cookie: page.cookie }],
    ]
    for (const method of ['HEAD', 'GET'] as const)
      for (const [query, headers] of requests)
        expect([query, [400, 403].includes(await send(query, headers, method))]).toEqual([query, true])
    expect(app.logs.filter((line: string) => JSON.parse(line).level >= 40)).toEqual([])
  })

  it("don't reach the database with a state that isn't ours", async () => {
    app.stored.dropTable()
    expect(await send('?code=x&state=x')).toBe(400)
    expect(app.logs.join('')).not.toContain('installation failed')
  })

  it('leave errors of the app and of Slack in the log', async () => {
    const bodies = ['bad_client_secret', 'internal_error'].map((error) => ({ body: { ok: false, error } }))
    const expectFailure = async () => {
      const done = await new Browser(app.slack).install(mine())
      expect([done.status, done.text]).toEqual([500, expect.stringContaining('Nothing was installed')])
    }
    for (const answer of [...bodies, { status: 503, body: {} }]) {
      app.slack.failNext('oauth.v2.access', answer)
      await expectFailure()
    }
    await app.logged('installation failed', 3)
    // The app has token rotation turned on, so that its token would expire.
    app.slack.oauth.isRotating = true
    await expectFailure()
    await app.logged('without token rotation')
    expect(await app.admin.command('/calls')).toShow("isn't installed in your workspace")
  })
})

/**
 * The first workspace has the lively account, the second the quiet one: agents, totals and settings never appear in the
 * other one.
 */
async function expectApart(one: Actor, two: Actor): Promise<void> {
  const [ofOne, ofTwo] = await Promise.all([one.command('/agents'), two.command('/agents')])
  const { lively, quiet } = app.sandbox.accounts
  for (const { name } of lively.agents.slice(0, 9)) expect(ofOne).toShow(name)
  for (const { id } of lively.agents) expect(ofTwo).not.toShow(`"${id}"`, `\\"${id}\\"`)
  for (const { name } of quiet.agents) expect(ofTwo).toShow(name)
  const [billing, other] = await Promise.all([one.command('/billing'), two.command('/billing')])
  expect(billing.blocks).not.toEqual(other.blocks)
  await one.command('/calls timezone Asia/Tokyo')
  expect(await two.command('/calls timezone')).not.toShow('Tokyo')
}

describe('several workspaces', () => {
  it('with separate accounts never mix their data', async () => {
    const { admin, slack, sandbox } = app
    const { team, people } = slack.addTeam()
    const other = slack.as(people.admin)
    const browser = new Browser(slack)
    await browser.install(mine())
    await browser.install({ team, user: other.user })
    await app.connect()
    expect(await other.command('/calls')).toShow("isn't connected")
    await app.connect(sandbox.accounts.quiet, other)
    await expectApart(admin, other)

    const theirs = new Set(getRows(await other.command('/calls')).map(String))
    expect(theirs.size).toBeGreaterThan(0)
    let page = await admin.command('/calls')
    for (let turn = 0; turn < 3; turn++) {
      page = await admin.click(page, 'calls.page.next')
      await other.command('/calls')
      expect(getRows(page).filter((row) => theirs.has(String(row)))).toEqual([])
    }
    expect(sandbox.requests.entries().every(({ status }) => status === 200)).toBe(true)
  })

  it('share the installation of their organization, but no data', async () => {
    const { slack, sandbox } = app
    const { team, people } = slack.addTeam(organization)
    const another = slack.addTeam(organization).team
    // Slack returns no roles in either workspace; the installer manages both.
    const [first, second] = [slack.as(people.member), slack.as(slack.join(people.member, another))]
    const outside = slack.as(slack.addTeam().people.admin)
    const done = await new Browser(slack).install({ team, user: first.user, isOrganization: true })
    expect(done.text).toContain('is installed')
    // The app isn't in any workspace yet, so the page and the message link to where it is added.
    const add = `${new URL(slack.apiUrl).origin}/manage/E0ORG/integrations/profile/${team.appId}/workspaces/add`
    expect(done.text).toContain(`href="${add}"`)
    expect(done.text).toContain('none of its workspaces')
    const { args } = await slack.waitFor(() => slack.callsTo('chat.postMessage')[0])
    expect(args['text']).toContain(`<${add}|Add it to workspaces>`)
    expect(JSON.stringify(args)).not.toContain('button below')
    await app.connect(sandbox.accounts.lively, first)
    await app.connect(sandbox.accounts.quiet, second)
    await expectApart(first, second)
    expect(await outside.command('/calls')).toShow("isn't installed in your workspace")
  })

  it("with an unreadable installation don't use that of their organization", async () => {
    await installTeam(app.slack, { isOrganization: true, enterprise: organization })
    const { team, admin } = await installTeam(app.slack, { enterprise: organization })
    expect(await admin.command('/calls')).toShow("isn't connected")
    await editStore(app, ({ database }) =>
      new Repository(database, 'installations', z.unknown()).set({ botToken: 1 }, installationKey(team)),
    )
    expect(await admin.command('/calls')).toShow("isn't installed in your workspace")
  })
})

it.each([
  ['https://slack.com/api/', 'https://app.slack.com'],
  ['https://slack-gov.com/api/', 'https://app.slack-gov.com'],
])('leads from an organization at %s to its page at %s', (apiUrl, origin) => {
  const user = { id: 'U1', token: undefined, scopes: undefined }
  const enterprise = { id: 'E0ORG' }
  const installed = { team: undefined, enterprise, user, appId: 'A1', isEnterpriseInstall: true }
  const { button } = describeInstall(installed, apiUrl)
  expect(button[1]).toBe(`${origin}/manage/E0ORG/integrations/profile/A1/workspaces/add`)
})
