import { expect, it } from 'vitest'
import { violations } from '../../support/shared/browser.ts'
import { useDemoPage } from './fixture.ts'

const fixture = useDemoPage()
const { open } = fixture

it('shows agents, one password to an admin, and billing', async () => {
  const { page, say, newest, sees } = await open()
  await say('/agents')
  await sees('Page 1 of 2')
  expect(await violations(page)).toEqual([])
  await newest().getByRole('button', { name: 'Caller ID' }).click()
  await newest().getByRole('row').nth(1).getByText('+1 202 555 0103').waitFor()
  await newest().getByRole('combobox', { name: 'Details of…' }).selectOption({ label: 'Anna Smith' })
  const modal = page.getByRole('dialog', { name: 'Anna Smith' })
  await modal.getByRole('button', { name: 'Show SIP password' }).click()
  await page.getByRole('button', { name: 'Show password' }).click()
  await modal.getByText('Open the webphone').waitFor()
  expect(await modal.locator('pre').innerText()).not.toBe('')
  expect(await violations(page)).toEqual([])
  const traffic = await (await fetch(`${fixture.demo.url}/api/traffic`)).text()
  const [agent] = fixture.demo.sandbox.accounts.lively.agents
  expect(traffic).toContain('agents.reveal')
  expect(traffic).not.toContain(agent?.sipPassword)
  await page.keyboard.press('Escape')
  await modal.waitFor({ state: 'detached' })

  await say('/billing')
  await newest().getByText('Business Plus').first().waitFor()
  expect(await violations(page)).toEqual([])
})

it('shows private answers to one person only', async () => {
  const { page, say, be, sees } = await open()
  await page.getByRole('navigation').getByRole('button', { name: 'sales-us' }).click()
  await be('Ben')
  await say('/calls')
  await sees(/Page 1 of \d\d/)
  await sees('America/New_York')
  await be('Gus')
  await expect.poll(() => page.getByRole('article').count()).toBe(0)
  await say('/cals')
  await sees('is not a valid command')
  expect(await violations(page)).toEqual([])
})

it('shows the traffic without secrets', async () => {
  const { page, say, newest } = await open()
  const { key, secret } = fixture.demo.sandbox.accounts.lively
  await say('/calls connect')
  const modal = page.getByRole('dialog')
  await modal.getByLabel(/^(API )?key/i).fill(key)
  await modal.getByLabel(/^(API )?secret/i).fill(secret)
  await modal.getByRole('button', { name: 'Connect', exact: true }).click()
  await modal.getByText('Connected').waitFor()
  await page.keyboard.press('Escape')
  await modal.waitFor({ state: 'detached' })
  await say('/calls outgoing')
  await newest().getByRole('heading', { name: 'Outgoing calls' }).waitFor()
  await page.getByRole('button', { name: 'Traffic' }).click()
  const traffic = page.getByRole('region', { name: 'Traffic' })
  await traffic.getByText('Slack sent, signed').click()
  await traffic
    .getByText(/POST outgoing of the service: HTTP 200/)
    .first()
    .click()
  const shown = await traffic.innerText()
  expect(shown).toContain('"command": "/calls"')
  expect(shown).toContain('"key": "••••"')
  const all = await (await fetch(`${fixture.demo.url}/api/traffic`)).text()
  expect(all).toContain('view_submission')
  for (const hidden of [key, secret]) expect(all).not.toContain(hidden)
  expect(await violations(page)).toEqual([])
})
