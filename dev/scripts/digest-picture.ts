import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type ColorScheme, withDemoPage, writePicture } from './demo-page.ts'
import { moveToMorning, moveToWednesday, nameLines, throughModal } from './preparations.ts'

/** As high as the whole report, and as wide as its table: what is scrolled out of sight is not in its picture. */
const viewport = { width: 1040, height: 1400 }

/**
 * Takes a picture of a scheduled report of the day before, as it comes in the morning, in a demo of its own, and writes
 * `digest-SCHEME.png`.
 * @param scale pixels of the picture for each of the page's
 * @returns its size in bytes
 */
export async function makeDigestPicture(
  browser: Browser,
  folder: string,
  colorScheme: ColorScheme,
  scale: number,
): Promise<number> {
  return withDemoPage(browser, { viewport, colorScheme, scale }, async (page, demo) => {
    moveToWednesday(demo)
    await nameLines(page)
    await throughModal(page, '/calls schedule', ['Preview', 'Save'])
    moveToMorning(demo)
    const heading = page.getByRole('heading', { name: /^Call report/ })
    const report = page.getByRole('article').filter({ has: heading })
    await report.waitFor({ timeout: 20_000 })
    await page.mouse.move(0, 0)
    return writePicture(join(folder, `digest-${colorScheme}.png`), report)
  })
}
