import '../prepare.ts'
import { mkdirSync } from 'node:fs'
import { startBrowser } from '../browser.ts'
import { makePictures } from './moving-picture/pictures.ts'

// Makes the README's moving picture and its still, in light and in dark, out of the demo.
// Usage: npm run screenshot [-- FOLDER]

const folder = process.argv[2] ?? 'docs'
/** For screens with small pixels. */
const scale = 2

mkdirSync(folder, { recursive: true })
const browser = await startBrowser()
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { durationMs, bytes } = await makePictures(browser, folder, colorScheme, scale)
    console.log(`${colorScheme}: ${(durationMs / 1000).toFixed(1)} s, ${(bytes / 1e6).toFixed(2)} MB`)
  }
} finally {
  await browser.close()
}
