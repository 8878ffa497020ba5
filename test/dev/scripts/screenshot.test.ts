import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it, onTestFinished } from 'vitest'
import { startBrowser } from '../../../dev/browser.ts'
import { makePictures } from '../../../dev/scripts/moving-picture/pictures.ts'

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

it('npm run screenshot films the demo as it is now: a command, Filter, Share, and a bill that is posted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-screenshot-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  const { durationMs } = await makePictures(browser, folder, 'light', 1)
  const moving = await sharp(join(folder, 'callboard-light.webp'), { animated: true }).metadata()
  expect([moving.width, moving.pageHeight, moving.loop]).toEqual([900, 620, 0])
  expect(sum(moving.delay ?? [])).toBe(durationMs)
  const still = await sharp(join(folder, 'callboard-light.png')).metadata()
  expect([still.width, still.height]).toEqual([900, 620])
})
