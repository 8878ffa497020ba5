import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Demo } from '../demo/demo.ts'
import { type ColorScheme, withDemoPage, writePicture } from './demo-page.ts'
import { moveToWednesday, nameLines, throughModal } from './preparations.ts'

const viewport = { width: 900, height: 1000 }
const minuteMs = 60_000
/** By their place among the account's own numbers; how long after the one before each is missed. */
const missed = [
  { line: 2, afterMs: minuteMs },
  { line: 1, afterMs: 2 * minuteMs },
  { line: 2, afterMs: minuteMs },
  { line: 0, afterMs: 3 * minuteMs },
]

/** Each is told before the next one is missed: where the app looks at them all at once, it would say that some come late. */
async function missCalls(page: Page, { sandbox, clock }: Demo): Promise<void> {
  const { lively } = sandbox.accounts
  const plannedAt = clock.now()
  for (const { line, afterMs } of missed) {
    clock.moveBy(afterMs)
    lively.missCall({ line: lively.billing.addOn.numbers[line]?.number })
    // Others may have been missed meanwhile.
    const count = lively
      .calls('incoming')
      .filter(({ at, answered }) => !answered && at.getTime() > plannedAt).length
    const title = count === 1 ? /^Missed call / : new RegExp(`^${count} missed calls `)
    await page.getByRole('heading', { name: title }).waitFor({ timeout: 20_000 })
  }
}

/**
 * Takes a picture of a missed-call alert that somebody has taken, in a demo of its own, and writes `alert-SCHEME.png`.
 * @param scale pixels of the picture for each of the page's
 * @returns its size in bytes
 */
export async function makeAlertPicture(
  browser: Browser,
  folder: string,
  colorScheme: ColorScheme,
  scale: number,
): Promise<number> {
  return withDemoPage(browser, { viewport, colorScheme, scale }, async (page, demo) => {
    moveToWednesday(demo)
    await nameLines(page)
    await throughModal(page, '/calls alert', ['Save'])
    await missCalls(page, demo)
    const alert = page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: /^\d missed calls / }) })
    await alert.getByRole('button', { name: "I'll take it" }).click()
    await alert.getByText('Taken by').waitFor()
    await page.mouse.move(0, 0)
    return writePicture(join(folder, `alert-${colorScheme}.png`), alert)
  })
}
