import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type ColorScheme, messageBoxOf, withDemoPage, writePicture } from './demo-page.ts'

/** As high as the whole report: what a message is scrolled out of is not in its picture. */
const viewport = { width: 900, height: 1400 }
/** Whole days alone, so that no bar depends on the time of day, and one direction, so that it is not too high to read. */
const command = '/calls report last week incoming'

/**
 * Takes a picture of a report in a demo of its own, and writes `report-SCHEME.png`.
 * @param scale pixels of the picture for each of the page's
 * @returns its size in bytes
 */
export async function makeReportPicture(
  browser: Browser,
  folder: string,
  colorScheme: ColorScheme,
  scale: number,
): Promise<number> {
  return withDemoPage(browser, { viewport, colorScheme, scale }, async (page) => {
    const box = messageBoxOf(page)
    await box.fill(command)
    await box.press('Enter')
    const heading = page.getByRole('heading', { name: /^Call report/ })
    const report = page.getByRole('article').filter({ has: heading })
    await report.getByRole('img', { name: /^Incoming calls per day/ }).waitFor()
    return writePicture(join(folder, `report-${colorScheme}.png`), report)
  })
}
