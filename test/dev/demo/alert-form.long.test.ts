import { expect, it } from 'vitest'
import { violations } from '../../support/shared/browser.ts'
import { useDemoPage } from './fixture.ts'

const fixture = useDemoPage()

it('creates an alert for two lines with the form, and changes it', async () => {
  const { page, say, newest } = await fixture.open()
  await say('/calls alerts')
  await newest().getByRole('button', { name: 'New alert…' }).click()
  const modal = page.getByRole('dialog')
  const lines = modal.getByRole('combobox', { name: /Lines/ })
  const removals = modal.getByRole('button', { name: /^Remove / })
  const close = async () => {
    await modal.getByRole('button', { name: 'Close' }).last().click()
    await modal.waitFor({ state: 'detached' })
  }
  const add = async (index: number) => {
    await lines.blur()
    await lines.focus()
    const option = modal.locator('datalist option').nth(index)
    await option.waitFor({ state: 'attached' })
    await lines.fill((await option.getAttribute('value')) ?? '')
  }
  await add(0)
  await add(1)
  expect(await removals.count()).toBe(2)
  expect(await modal.locator('fieldset:not([aria-labelledby])').count()).toBe(0)
  await modal.getByRole('group', { name: 'Days' }).waitFor()
  await modal.getByLabel('Post after how many missed calls?').fill('4')
  await modal.getByRole('checkbox', { name: 'Sunday' }).uncheck()
  expect(await violations(page)).toEqual([])
  await modal.getByRole('button', { name: 'Save' }).click()
  await modal.getByText(/: 4 or more missed calls on .+ or .+ within 10 minutes/).waitFor()
  await modal.getByText('Monday to Saturday, all day').waitFor()
  await close()

  const messages = page.getByRole('article')
  const before = await messages.count()
  await say('/calls alerts')
  await expect.poll(() => messages.count()).toBe(before + 1)
  const choose = async (name: string) => {
    await newest().getByRole('button', { name: 'More', exact: true }).last().click()
    await newest().getByRole('button', { name }).click()
  }
  await choose('Edit…')
  await expect.poll(() => removals.count()).toBe(2)
  await removals.first().click()
  expect(await removals.count()).toBe(1)
  await modal.getByRole('button', { name: 'Save' }).click()
  await modal.getByText(/: 4 or more missed calls on (?!.+ or ).+ within/).waitFor()
  await close()
  // The list that the form was opened from shows it, and mutes it.
  await choose('Mute for an hour')
  await page.getByText('Muted until').first().waitFor()
  await newest().getByText('muted this alert until').waitFor()
  expect(await violations(page)).toEqual([])
})
