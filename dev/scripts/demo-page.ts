import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { type Demo, startDemo } from '../demo/demo.ts'

/** Slack alone: what the page says of itself as a demo is in the README already. */
const withoutDemo = '.side, .place button, .tour-button { display: none !important }'

export type ColorScheme = 'light' | 'dark'

export interface PageLook {
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: ColorScheme
  /** Pixels of a picture for each of the page's. */
  readonly scale: number
}

export const messageBoxOf = (page: Page): Locator => page.getByRole('combobox', { name: /^Message #/ })

/** Writes a picture of a message, or of whatever else there is on the page. @returns its size in bytes */
export async function writePicture(path: string, of: Locator): Promise<number> {
  const screenshot = await of.screenshot({ animations: 'disabled' })
  const picture = await sharp(screenshot).png({ palette: true, effort: 10 }).toBuffer()
  writeFileSync(path, picture)
  return picture.length
}

/** Opens the page of a demo of its own, to take pictures of, and ends both. */
export async function withDemoPage<T>(
  browser: Browser,
  { viewport, colorScheme, scale }: PageLook,
  use: (page: Page, demo: Demo) => Promise<T>,
): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'callboard-screenshot-'))
  const demo = await startDemo({ folder: data, port: 0 })
  try {
    const page = await browser.newPage({ viewport, deviceScaleFactor: scale, colorScheme, locale: 'en-GB' })
    page.setDefaultTimeout(8000)
    await page.goto(demo.url)
    await page.addStyleTag({ content: withoutDemo })
    await messageBoxOf(page).waitFor()
    const result = await use(page, demo)
    await page.close()
    return result
  } finally {
    await demo.stop()
    rmSync(data, { recursive: true, force: true })
  }
}
