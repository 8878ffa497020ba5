import { expect, it } from 'vitest'
import { violations } from '../../support/shared/browser.ts'
import { type Screen, useDemoPage } from './fixture.ts'

const fixture = useDemoPage()
const { open } = fixture

const times = async (screen: Screen) =>
  (await screen.newest().getByRole('row').locator('td:first-child').allInnerTexts()).map((text) =>
    text.trim(),
  )

it('pages through a list with the keyboard and restores it after a reload', async () => {
  const screen = await open()
  const { page, say, newest, sees } = screen
  await say('/calls')
  await sees(/Page 1 of \d\d/)
  expect(await newest().getByRole('row').count()).toBe(21)
  await sees('Only you can see this')
  expect(await violations(page)).toEqual([])
  const first = await times(screen)

  // The focus stays on the button in the replaced message.
  await newest().getByRole('button', { name: 'Next' }).press('Enter')
  await sees(/Page 2 of \d+/)
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Next')
  await newest().getByRole('button', { name: 'Last' }).click()
  await sees(/Page (\d+) of \1/)
  await newest().getByRole('button', { name: 'First' }).click()
  await sees(/Page 1 of \d\d/)
  expect(await times(screen)).toEqual(first)

  await page.reload()
  await sees(/Page 1 of \d\d/)
  expect(await times(screen)).toEqual(first)
})

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
