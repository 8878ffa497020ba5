import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { startDemo } from '../../demo/demo.ts'
import { Camera } from './camera.ts'
import { Film } from './film.ts'
import { playScenes } from './scenes.ts'

const viewport = { width: 900, height: 620 }

/** Slack alone: what the page says of itself as a demo is in the README already. */
const withoutDemo = '.side, .place button, .tour-button { display: none !important }'

/**
 * Films a demo of its own, and writes `callboard-SCHEME.webp` and `callboard-SCHEME.png` for those who turn motion off.
 * @param scale pixels of the pictures for each of the page's
 */
export async function makePictures(
  browser: Browser,
  folder: string,
  colorScheme: 'light' | 'dark',
  scale: number,
): Promise<{ readonly durationMs: number; readonly bytes: number }> {
  const data = mkdtempSync(join(tmpdir(), 'callboard-screenshot-'))
  const demo = await startDemo({ folder: data, port: 0 })
  try {
    const page = await browser.newPage({ viewport, deviceScaleFactor: scale, colorScheme, locale: 'en-GB' })
    page.setDefaultTimeout(8000)
    await page.goto(demo.url)
    await page.addStyleTag({ content: withoutDemo })
    await page.getByRole('combobox', { name: /^Message #/ }).waitFor()
    const film = new Film(scale)
    const still = await playScenes(page, new Camera(page, film))
    const moving = await film.toWebp()
    writeFileSync(join(folder, `callboard-${colorScheme}.png`), still)
    writeFileSync(join(folder, `callboard-${colorScheme}.webp`), moving)
    await page.close()
    return { durationMs: film.durationMs, bytes: moving.length }
  } finally {
    await demo.stop()
    rmSync(data, { recursive: true, force: true })
  }
}
