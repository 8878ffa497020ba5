import '../prepare.ts'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBrowser } from '../browser.ts'
import { startDemo } from '../demo/demo.ts'

// Makes the pictures of the README, of the demo's page in light and in dark. Usage: npm run screenshot [-- FOLDER]

const folder = process.argv[2] ?? 'docs'
const data = mkdtempSync(join(tmpdir(), 'callboard-screenshot-'))
mkdirSync(folder, { recursive: true })
const demo = await startDemo({ folder: data, port: 0 })
const browser = await startBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1060 } })
  await page.goto(demo.url)
  const say = async (text: string) => {
    const box = page.getByRole('combobox', { name: /^Message #/ })
    await box.fill(text)
    await box.press('Enter')
  }
  const picture = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
    }
  }
  await say('/calls connect')
  const modal = page.getByRole('dialog')
  await modal.getByRole('button', { name: 'Use Larkfield Logistics' }).click()
  await modal.getByRole('button', { name: 'Connect', exact: true }).click()
  await modal.getByText('Connected').waitFor()
  await modal.getByRole('button', { name: 'Close' }).first().click()
  await modal.waitFor({ state: 'detached' })
  await say('/calls last 7 days')
  await page.getByText(/Page 1 of/).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText(/Page 2 of/).waitFor()
  await page.mouse.move(0, 0)
  await picture('callboard')
} finally {
  await browser.close()
  await demo.stop()
  rmSync(data, { recursive: true, force: true })
}
