import { expect, it } from 'vitest'
import { violations } from '../../support/axe.ts'
import { useDemoPage } from './fixture.ts'

const fixture = useDemoPage()

it('every sample of the gallery is for everyone, in light and in dark, on a wide screen and on a telephone', async () => {
  const page = await fixture.newPage({ colorScheme: 'light' })
  await page.goto(`${fixture.demo.url}/gallery`)
  await page.getByRole('article').last().waitFor()
  expect(await violations(page, { iframes: false })).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(page, { iframes: false })).toEqual([])
  await page.setViewportSize({ width: 400, height: 860 })
  expect(await violations(page, { iframes: false })).toEqual([])
}, 300_000)
