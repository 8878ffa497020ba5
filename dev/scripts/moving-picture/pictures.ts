import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type ColorScheme, withDemoPage } from '../demo-page.ts'
import { Camera } from './camera.ts'
import { Film } from './film.ts'
import { playScenes } from './scenes.ts'

const viewport = { width: 900, height: 620 }

/**
 * Films a demo of its own, and writes `callboard-SCHEME.webp` and `callboard-SCHEME.png` for those who turn motion off.
 * @param scale pixels of the pictures for each of the page's
 */
export async function makePictures(
  browser: Browser,
  folder: string,
  colorScheme: ColorScheme,
  scale: number,
): Promise<{ readonly durationMs: number; readonly bytes: number }> {
  return withDemoPage(browser, { viewport, colorScheme, scale }, async (page) => {
    const film = new Film(scale)
    const still = await playScenes(page, new Camera(page, film))
    const moving = await film.toWebp()
    writeFileSync(join(folder, `callboard-${colorScheme}.png`), still)
    writeFileSync(join(folder, `callboard-${colorScheme}.webp`), moving)
    return { durationMs: film.durationMs, bytes: moving.length }
  })
}
