import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it, onTestFinished } from 'vitest'
import { takePicture } from '../../../dev/scripts/pictures.ts'
import { connectBrowser } from '../../support/shared/browser.ts'

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/** A folder and a browser for one test. */
async function startTaking() {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-screenshot-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const browser = await connectBrowser()
  onTestFinished(() => browser.close())
  return { folder, browser }
}

it('npm run screenshot films a burst that is split, a report, a shared list and a posted bill', async () => {
  const { folder, browser } = await startTaking()
  const { durationMs } = await takePicture(browser, 'callboard', { folder, colorScheme: 'light', scale: 1 })
  const moving = await sharp(join(folder, 'callboard-light.webp'), { animated: true }).metadata()
  expect([moving.width, moving.pageHeight, moving.loop]).toEqual([900, 620, 0])
  expect(sum(moving.delay ?? [])).toBe(durationMs)
  const still = await sharp(join(folder, 'callboard-light.png')).metadata()
  expect([still.width, still.height]).toEqual([900, 620])
}, 180_000)

it.each([
  // Uses the whole width between the sidebars, and isn't cut off at the bottom.
  { name: 'report', what: 'a whole report, with its chart drawn', width: 700, leastHeight: 800 },
  { name: 'alert', what: 'an alert that somebody has taken', width: 700, leastHeight: 250 },
  { name: 'digest', what: 'a scheduled report', width: 840, leastHeight: 770 },
  { name: 'slackbot', what: "Slackbot's answer", width: 700, leastHeight: 300 },
] as const)(
  'npm run screenshot takes a picture of $what',
  async ({ name, width, leastHeight }) => {
    const { folder, browser } = await startTaking()
    const { bytes } = await takePicture(browser, name, { folder, colorScheme: 'dark', scale: 1 })
    const picture = join(folder, `${name}-dark.png`)
    expect(statSync(picture).size).toBe(bytes)
    const size = await sharp(picture).metadata()
    expect(size.width).toBe(width)
    expect(size.height).toBeGreaterThan(leastHeight)
  },
  60_000,
)
