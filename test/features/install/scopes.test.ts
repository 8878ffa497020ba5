import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { Browser, organization, withOAuth } from '../../support/oauth.ts'

const optional = ['files:write', 'channels:join', 'mcp:connect']
const installUrl = 'https://calls.example.com/slack/install'

describe('without optional scopes', () => {
  const app = useApp(withOAuth)
  const install = (leftOut: readonly string[] = optional) => {
    const { slack } = app
    return new Browser(slack).install({ team: slack.workspace, user: slack.people.admin, leftOut })
  }

  it('every export explains what is missing, and offers administrators to install again', async () => {
    const { admin, member, slack } = app
    await install()
    await app.connect()
    expect(await admin.command('/calls export today')).toShow('`files:write`', installUrl)
    expect(await member.command('/calls export today')).toShow('`files:write`', 'An administrator can')
    const list = await admin.command('/calls')
    expect(await admin.click(list, 'calls.export-list')).toShow('`files:write`', installUrl)
    const audit = await admin.command('/callboard audit')
    expect(await admin.click(audit, 'billing.audit.export')).toShow('`files:write`', installUrl)
    expect(slack.callsTo('files.getUploadURLExternal')).toEqual([])
  })

  it.each(['/calls alert', '/billing post'])(
    '%s in a channel without Callboard offers administrators to install again',
    async (command) => {
      const { admin, member, slack } = app
      await install()
      await app.connect()
      const away = slack.addChannel({ name: 'away', isMember: false })
      await admin.submit(await admin.open('/billing settings'), { billing: 'everyone' })
      const refusal = async (by = admin) =>
        (await by.submit(await by.open(`${command} <#${away.id}|away>`))).errors['channel']
      expect(await refusal()).toContain(installUrl)
      expect(await refusal(member)).toMatch(/invite @Callboard(?!.*slack\/install)/)
      expect(slack.callsTo('conversations.join')).toEqual([])
    },
  )

  it('Home names what is missing to administrators, until it is granted', async () => {
    const { admin, member } = app
    await install()
    expect(await admin.openHome()).toShow('Permissions that are not granted', ...optional, installUrl)
    expect(await member.openHome()).not.toShow('files:write')
    await install(['mcp:connect'])
    const later = await admin.openHome()
    expect(later).toShow('mcp:connect')
    expect(later).not.toShow('files:write')
    await install([])
    expect(await admin.openHome()).not.toShow('Permissions that')
  })
})

describe('without Slackbot', () => {
  const app = useApp({ config: (slack) => ({ ...withOAuth.config(slack), mcp: false }) })

  it('neither the landing page, the consent page nor Home names its scope', async () => {
    expect(await (await fetch(app.url)).text()).not.toContain('mcp:connect')
    const browser = new Browser(app.slack)
    expect((await browser.start()).authorizeUrl).not.toContain('mcp')
    await browser.install({ team: app.slack.workspace, user: app.admin.user })
    expect(await app.admin.openHome()).not.toShow('mcp:connect')
  })
})

describe('with a token of one workspace', () => {
  const app = useApp({ connected: true })

  it('reads from auth.test its scopes, and that it serves no other workspace of its organization', async () => {
    const { admin, slack } = app
    const headers = { 'x-oauth-scopes': 'commands,chat:write,users:read' }
    const body = { ok: true, team_id: slack.workspace.teamId, enterprise_id: 'E0ORG' }
    await app.restart(() => slack.failNext('auth.test', { body, headers }))
    const other = slack.addTeam(organization).people
    expect(await slack.as(other.admin).command('/calls')).toShow("isn't installed in your workspace")
    expect(await admin.command('/calls export today')).toShow('`files:write`', 'Whoever runs Callboard')
    await app.restart()
    expect(await admin.command('/calls export last 3 days')).not.toShow('files:write')
  })

  it('of an organization serves its workspaces and no other, with the roles of the organization', async () => {
    const { admin, slack } = app
    const { teamId: team_id, botToken } = slack.workspace
    const answer = { ok: true, team_id, is_enterprise_install: true }
    await app.restart(() => slack.failNext('auth.test', { body: answer }))
    expect(await admin.command('/calls')).toShow("isn't installed in your workspace")
    await app.restart(() => slack.failNext('auth.test', { body: { ...answer, enterprise_id: 'E0ORG' } }))
    const { team, people } = slack.addTeam({ enterpriseId: 'E0ORG', botToken })
    team.isEnterpriseInstall = true
    people.member.enterprise_user!.is_admin = true
    expect(await slack.as(people.member).open('/calls connect')).toShow('API key')
    const elsewhere = slack.addTeam({ enterpriseId: 'E0OTHER' }).people
    expect(await slack.as(elsewhere.admin).command('/calls')).toShow("isn't installed in your workspace")
  })
})
