import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { Browser, organization, withOAuth } from '../../support/oauth.ts'

/** Names other people who may manage Callboard, in the settings. */
async function nameAdministrators(by: Actor, ...people: readonly Actor[]): Promise<void> {
  const ids = people.map(({ user }) => user.id)
  expect(await by.submit(await by.open('/billing settings'), { administrators: ids })).toShow('Saved')
}

describe('administrators of one workspace', () => {
  const app = useApp()

  it('are its admins, its owners, and the people whom they name', async () => {
    const { admin, member, slack, sandbox } = app
    expect(await member.command('/calls connect')).toShow('Only administrators', 'make you an administrator')
    await nameAdministrators(admin, member)
    await app.connect(sandbox.accounts.lively, member)
    // Named administrators always have access, too.
    const rules = { exports: 'admins', calls: 'admins' }
    expect(await admin.submit(await admin.open('/billing settings'), rules)).toShow('Saved')
    expect(await member.command('/calls export')).toShow('in a direct message from Callboard')
    expect(await member.command('/billing audit')).toShow(`gave administrator rights to <@${member.user.id}>`)
    const settings = await member.open(await member.openHome(), 'billing.settings')
    expect(settings).toShow('Access', 'Administrators always have access.')
    const owner = slack.as(slack.people.owner)
    expect(await owner.openHome()).toShow(`Admins and owners of this workspace and <@${member.user.id}>`)
    await nameAdministrators(owner)
    expect(await member.command('/calls disconnect')).toShow('Only administrators can do that')
    expect(await member.openHome()).not.toShow('For administrators')
    const took = `took administrator rights from <@${member.user.id}>`
    expect(await owner.command('/billing audit')).toShow(took)
  })

  it.each([
    ['became a guest', { is_restricted: true }],
    ['left', { deleted: true }],
  ])('is not a named person who %s', async (_, change) => {
    const { admin, slack, clock } = app
    const former = slack.as(slack.addPerson({ name: 'former' }))
    await nameAdministrators(admin, former)
    const offer = await former.command('/calls')
    Object.assign(former.user, change)
    // Roles of administrators are never taken from the cache.
    expect(await former.click(offer, 'setup.connect')).toShow('full members')
    clock.ahead = 120_000
    for (const command of ['/calls', '/calls connect', '/callboard access'])
      expect(await former.command(command)).toShow('full members')
    expect(await former.openHome()).not.toShow('For administrators')
    // A former administrator in the list doesn't prevent other changes.
    expect(await admin.submit(await admin.open('/billing settings'), { agents: 'admins' })).toShow('Saved')
  })
})

describe('administrators after an OAuth installation', () => {
  const app = useApp(withOAuth)

  it('include its first installer, not a later one who installs it twice', async () => {
    const { member, slack } = app
    const late = slack.as(slack.addPerson({ name: 'late' }))
    const browser = new Browser(slack)
    for (const { user } of [member, late, late]) await browser.install({ team: slack.workspace, user })
    expect(await late.command('/calls connect')).toShow('Only administrators', `<@${member.user.id}>`)
    expect(await member.open('/calls connect')).toShow('API key')
    expect(await app.admin.open('/calls connect')).toShow('API key')
  })

  it('are, in an organization, its latest installer and the people whom they name in each workspace', async () => {
    const { slack } = app
    const [first, second] = [slack.addTeam(organization), slack.addTeam(organization)]
    const installer = slack.as(first.people.member)
    // An admin of the organization, the only role that Slack reports to an app that is installed there.
    const ofAll = slack.addPerson({ name: 'of all' }, first.team)
    if (ofAll.enterprise_user) ofAll.enterprise_user.is_admin = true
    await new Browser(slack).install({ team: first.team, user: installer.user, isOrganization: true })

    for (const user of [ofAll, first.people.admin, first.people.owner])
      expect(await slack.as(user).command('/calls connect')).toShow(`Ask <@${installer.user.id}> to do it`)
    expect(await slack.as(second.people.admin).command('/calls connect')).toShow('Ask <@')
    const admin = slack.as(first.people.admin)
    expect(await installer.open('/billing settings')).toShow("Slack doesn't tell Callboard")
    await nameAdministrators(installer, installer, admin)
    const managers = `Ask <@${installer.user.id}> or <@${admin.user.id}> to do it`
    expect(await slack.as(ofAll).command('/calls connect')).toShow(managers)
    await app.connect(app.sandbox.accounts.lively, admin)
    // A person named in one workspace isn't an administrator in the other.
    const elsewhere = slack.as(slack.join(admin.user, second.team))
    expect(await elsewhere.command('/calls connect')).toShow('Ask <@')
    const installerThere = slack.as(slack.join(installer.user, second.team))
    expect(await installerThere.open('/calls connect')).toShow('API key')
    // Only admins can install for an organization, so a later one is its installer.
    const later = slack.as(slack.addPerson({ name: 'later' }, second.team))
    await new Browser(slack).install({ team: second.team, user: later.user, isOrganization: true })
    expect(await later.open('/calls connect')).toShow('API key')
    expect(await installerThere.command('/calls connect')).toShow(`Ask <@${later.user.id}> to do it`)
  })
})
