import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { Store } from '../../../src/store/store.ts'
import { dayMs, hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Browser, installTeam, organization, uninstall, withOAuth } from '../../support/oauth.ts'
import { Schedules, weekly } from '../subscriptions/schedules.ts'

const lost = "the stored API key and secret can't be read"
const newKey = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) })

describe('with a key and secret whose encryption key is lost', () => {
  const app = useApp({ connected: true, config: { metricsToken: 'a token for tests' } })

  async function loseKey(id = 'k2'): Promise<void> {
    expect(await app.member.command('/calls')).toShow('Page 1 of')
    await app.admin.command('/calls timezone Asia/Tokyo')
    await app.restart(() => Object.assign(app, { config: { ...app.config, encryptionKeys: [newKey(id)] } }))
  }

  it('people are asked to connect again, which an administrator can', async () => {
    await loseKey()
    const { admin, member, sandbox } = app
    expect(await member.command('/calls')).toShow(lost, 'An administrator can reconnect it')
    for (const command of ['/agents', '/billing']) expect(await admin.command(command)).toShow(lost)
    for (const command of ['/billing', '/billing schedules'])
      expect(await member.command(command)).toShow("You don't have access to billing")
    expect(await admin.openHome()).toShow(lost, 'Connect…')
    const offered = await admin.command('/calls')
    const { key, secret } = sandbox.accounts.quiet
    const modal = await admin.open(offered, 'setup.connect')
    await admin.submit(modal, { key, secret })
    await admin.sees(modal, 'Connected')
    expect(await member.command('/calls')).toShow('3 incoming calls')
    expect(await member.command('/calls timezone')).toShow('Tokyo')
  })

  it('a bill scheduled by the person who connected it waits for the encryption key', async () => {
    const { admin, config, clock } = app
    const schedules = new Schedules(app)
    const { finance, due } = await schedules.addDue()
    await loseKey()
    // Now only the connected account makes this person an administrator of billing.
    Object.assign(admin.user, { is_admin: false, is_owner: false, is_primary_owner: false })
    await schedules.at(due + 1000)
    await app.restart(() => Object.assign(app, { config }))
    clock.ahead += hourMs
    await app.jobsDone()
    expect(schedules.posts(finance)).toHaveLength(1)
  })

  it('an administrator can disconnect on the Home tab', async () => {
    await loseKey()
    const { admin } = app
    const question = await admin.open(await admin.openHome(), 'setup.connection', 'Disconnect…')
    expect(await admin.open(question, 'setup.disconnect')).toShow('Disconnected.')
    expect(await admin.openHome()).toShow("isn't connected to your phone account.")
  })

  it.each(['k1', 'k2'])('the operator is told which key until someone reconnects (new: %s)', async (id) => {
    using rotation = vi.spyOn(Store.prototype, 'rotateKeys')
    expect(await app.readMetrics()).not.toContain('callboard_undecryptable_records{')
    await loseKey(id)
    await app.logged('"undecryptable":{"k1":1}')
    expect(await app.readMetrics()).toContain('callboard_undecryptable_records{key="k1"} 1')
    await app.connect()
    // The store does this every ten minutes.
    await (rotation.mock.contexts.at(-1) as Store).rotateKeys()
    expect(await app.readMetrics()).not.toContain('callboard_undecryptable_records{')
    const encryptionKeys = [newKey('k3'), ...app.config.encryptionKeys] as const
    await app.restart(() => Object.assign(app, { config: { ...app.config, encryptionKeys } }))
    await app.logged('"count":1,"msg":"records were re-encrypted with the first key"')
  })
})

describe('while the encryption key is missing', () => {
  const app = useApp(withOAuth)

  it.each(['credentials', 'installations'])('of %s, schedules and notices wait for it', async (records) => {
    const { slack, sandbox, clock, stored } = app
    slack.rateLimitNext('chat.postMessage', 60)
    const { admin } = await installTeam(slack)
    await app.connect(sandbox.accounts.lively, admin)
    for (const command of ['/billing schedule', '/calls schedule']) {
      const form = await admin.open(command)
      expect(await admin.submit(form, { where: 'direct', ...weekly, time: '09:00' })).toShow('Saved')
    }
    const texts = () => slack.callsTo('chat.postMessage').map(({ args }) => args['text'])
    // After 09:00 in Berlin.
    const due = Math.floor(Date.now() / dayMs + 3) * dayMs + 9 * hourMs
    const rows = stored.all(records)
    await app.restart(() => stored.setValue(records, "'v1.k2.AAAA'"))
    clock.ahead = due - Date.now()
    await app.jobsDone()
    await app.restart(() => stored.write(rows))
    clock.ahead += hourMs
    await app.jobsDone()
    expect(texts().slice(1).sort()).toEqual([
      expect.stringContaining('Incoming calls'),
      expect.stringContaining('Billing'),
      expect.stringContaining('Thanks for installing'),
    ])
  })
})

describe('with two workspaces', () => {
  const app = useApp(withOAuth)

  it('an unreadable installation is deleted like any other, and its next installer is no administrator', async () => {
    const [one, two] = [await installTeam(app.slack), await installTeam(app.slack)]
    await app.connect(app.sandbox.accounts.lively, one.admin)
    await app.restart(() => Object.assign(app, { config: { ...app.config, encryptionKeys: [newKey('k2')] } }))
    expect(await one.admin.command('/calls')).toShow("isn't installed in your workspace")
    await uninstall(app, one.team)
    const somebody = app.slack.addPerson({ name: 'somebody' }, two.team)
    for (const _ of ['first', 'second']) {
      await new Browser(app.slack).install({ team: two.team, user: somebody })
      expect(await app.slack.as(somebody).command('/calls connect')).toShow('Only')
    }
    expect(await two.admin.command('/calls')).toShow("isn't connected")
  })

  it.each([false, true])(
    'uninstalling one workspace keeps the installation of its organization, even if Slack calls it organization-wide: %s',
    async (isEnterpriseInstall) => {
      const { slack, sandbox } = app
      const whole = await installTeam(slack, { isOrganization: true, enterprise: organization })
      const { team } = await installTeam(slack, { enterprise: organization })
      await app.connect(sandbox.accounts.lively, whole.admin)
      team.isEnterpriseInstall = isEnterpriseInstall
      await uninstall(app, team)
      expect(await whole.admin.command('/calls')).toShow('Page 1 of')
    },
  )
})
