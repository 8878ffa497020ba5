import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it, onTestFinished } from 'vitest'
import { makeFilm } from '../../../dev/scripts/film.ts'
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

it('npm run screenshot films the demo as it is now: a command, Filter, Share, and a bill that is posted', async () => {
  const { folder, browser } = await startTaking()
  const { durationMs } = await makeFilm(browser, { folder, colorScheme: 'light', scale: 1 })
  const moving = await sharp(join(folder, 'callboard-light.webp'), { animated: true }).metadata()
  expect([moving.width, moving.pageHeight, moving.loop]).toEqual([900, 620, 0])
  expect(sum(moving.delay ?? [])).toBe(durationMs)
  const still = await sharp(join(folder, 'callboard-light.png')).metadata()
  expect([still.width, still.height]).toEqual([900, 620])
}, 180_000)

it('npm run screenshot takes a picture of a whole report, with its chart drawn', async () => {
  const { folder, browser } = await startTaking()
  const bytes = await takePicture(browser, 'report', { folder, colorScheme: 'dark', scale: 1 })
  const picture = join(folder, 'report-dark.png')
  expect(statSync(picture).size).toBe(bytes)
  const { width, height } = await sharp(picture).metadata()
  // As wide as the page beside the channels, and not cut off where a screen ends.
  expect(width).toBe(700)
  expect(height).toBeGreaterThan(800)
})

it('npm run screenshot takes a picture of an alert that somebody has taken', async () => {
  const { folder, browser } = await startTaking()
  const bytes = await takePicture(browser, 'alert', { folder, colorScheme: 'light', scale: 1 })
  const picture = join(folder, 'alert-light.png')
  expect(statSync(picture).size).toBe(bytes)
  const { width, height } = await sharp(picture).metadata()
  expect(width).toBe(700)
  expect(height).toBeGreaterThan(250)
}, 60_000)

it('npm run screenshot takes a picture of a scheduled report', async () => {
  const { folder, browser } = await startTaking()
  const bytes = await takePicture(browser, 'digest', { folder, colorScheme: 'dark', scale: 1 })
  const picture = join(folder, 'digest-dark.png')
  expect(statSync(picture).size).toBe(bytes)
  const { width, height } = await sharp(picture).metadata()
  expect(width).toBe(840)
  expect(height).toBeGreaterThan(800)
}, 60_000)
