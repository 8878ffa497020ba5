import { expect, it } from 'vitest'
import { violations } from '../../support/shared/browser.ts'
import { useDemoPage } from './fixture.ts'

const fixture = useDemoPage()

it('sets up an alert in the form, with two agents, and changes it', async () => {
  const { page, say, newest } = await fixture.open()
  await say('/calls alerts')
  await newest().getByRole('button', { name: 'New alert…' }).click()
  const modal = page.getByRole('dialog')
  const agents = modal.getByRole('combobox', { name: /Agents/ })
  const removals = modal.getByRole('button', { name: /^Remove / })
  const close = async () => {
    await modal.getByRole('button', { name: 'Close' }).last().click()
    await modal.waitFor({ state: 'detached' })
  }
  const add = async (index: number) => {
    await agents.blur()
    await agents.focus()
    await modal.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').nth(index).click()
  }
  await add(0)
  await add(1)
  expect(await removals.count()).toBe(2)
  await modal.getByLabel('Post').selectOption({ label: 'Only when several are missed' })
  await modal.getByLabel('How many missed calls').fill('4')
  await modal.getByLabel('Hours').selectOption({ label: 'Only on these days and hours' })
  await modal.getByRole('checkbox', { name: 'Saturday' }).check()
  expect(await violations(page)).toEqual([])
  await modal.getByRole('button', { name: 'Save' }).click()
  await modal
    .getByText(/^Saved\. 4 or more missed calls for .+ or .+ within 10 minutes are posted in/)
    .waitFor()
  await modal.getByText('Hours: Monday to Saturday 09:00–17:00').waitFor()
  await close()

  await say('/calls alerts')
  await newest().getByRole('button', { name: 'Edit' }).last().click()
  await expect.poll(() => removals.count()).toBe(2)
  await removals.first().click()
  expect(await removals.count()).toBe(1)
  await modal.getByRole('button', { name: 'Save' }).click()
  await modal.getByText(/^Saved\. 4 or more missed calls for (?!.+ or ).+ within/).waitFor()
  await close()
  // The list that the form was opened from shows it, and mutes it.
  await newest().getByLabel('Mute…').last().selectOption({ label: 'Mute for an hour' })
  await newest().getByText('Muted until').first().waitFor()
  expect(await violations(page)).toEqual([])
})
