import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { getActions } from '../../support/shown.ts'

const app = useApp({ connected: true })

it('pages through all entries', async () => {
  const { admin, member } = app
  await admin.submit(await admin.open('/billing settings'), { agents: 'admins' })
  for (let n = 0; n < 48; n++) {
    // Slack's limit for posts.
    app.clock.ahead += 4000
    await member.command(`/calls timezone ${['Asia/Tokyo', 'Europe/Paris'][n % 2]}`)
  }
  const page = await admin.command('/billing audit')
  expect(page).toShow('entries 1–25', 'Europe/Paris')
  expect(getActions(page)).toEqual(['billing.audit.page.next', 'billing.audit.export'])
  const last = await admin.click(page, 'billing.audit.page.next')
  const buttons = ['page.first', 'page.previous', 'export'].map((name) => `billing.audit.${name}`)
  expect(getActions(last)).toEqual(buttons)
  expect(last).toShow('entries 26–50', 'limited agents to administrators', 'connected the phone account')
  expect(await admin.click(last, 'billing.audit.page.first')).toShow('entries 1–25')
})

it("doesn't record a save without changes", async () => {
  const { admin, member } = app
  for (const zone of ['Asia/Tokyo', 'Asia/Tokyo', 'default', 'default'])
    await member.command(`/calls timezone ${zone}`)
  await admin.submit(await admin.open('/billing settings'))
  const { blocks } = await admin.command('/billing audit')
  const noted = [...JSON.stringify(blocks).matchAll(/<@\w+> (set|connected)/g)].map(([, what]) => what)
  expect(noted).toEqual(['set', 'set', 'connected'])
})
