import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { Browser, installTeam, uninstall, withOAuth } from '../../support/oauth.ts'

const app = useApp(withOAuth)

it.each([1000, 2400])(
  'stores no key and secret if the app is uninstalled during a test of %i ms',
  async (ms) => {
    const { team, admin } = await installTeam(app.slack)
    const modal = await admin.open('/calls connect')
    app.sandbox.faults.next({ kind: 'delay', ms })
    const { key, secret } = app.sandbox.accounts.lively
    const submitted = admin.submit(modal, { key, secret })
    await expect.poll(() => app.sandbox.requests.count()).toBe(1)
    await uninstall(app, team)
    await submitted
    await admin.sees(modal, "isn't installed in your workspace")

    await new Browser(app.slack).install({ team, user: admin.user })
    expect(await admin.command('/calls')).toShow("isn't connected to your phone account.")
  },
)
