import { expect, it } from 'vitest'
import type { Team } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { Browser, installTeam, withOAuth } from '../../support/oauth.ts'

const app = useApp(withOAuth)

async function uninstall(team: Team): Promise<void> {
  const event_time = Math.floor(Date.now() / 1000) + 5
  await app.slack.event(app.url, { type: 'app_uninstalled' }, { team, fields: { event_time } })
  await app.logged('"action":"forget"')
}

it.each([1000, 2400])(
  'stores no key and secret if the app is uninstalled during a test of %i ms',
  async (ms) => {
    const { team, admin } = await installTeam(app.slack)
    const modal = await admin.open('/calls connect')
    app.sandbox.faults.next({ kind: 'delay', ms })
    const { key, secret } = app.sandbox.accounts.lively
    const submitted = admin.submit(modal, { key, secret })
    await expect.poll(() => app.sandbox.requests.count()).toBe(1)
    await uninstall(team)
    await submitted
    await admin.sees(modal, "isn't installed in your workspace")

    await new Browser(app.slack).install({ team, user: admin.user })
    expect(await admin.command('/calls')).toShow("isn't connected to your phone account.")
  },
)
