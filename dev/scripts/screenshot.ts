import '../prepare.ts'
import { mkdirSync } from 'node:fs'
import { startBrowser } from '../browser.ts'
import { pictures, takePicture } from './pictures.ts'

// Makes the README's pictures, in light and in dark, out of the demo: the moving one with its still, a report, an alert and a digest.
// Usage: npm run screenshot [-- FOLDER]

const folder = process.argv[2] ?? 'docs'
mkdirSync(folder, { recursive: true })
const browser = await startBrowser()
try {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const name of pictures) {
      // For screens with small pixels.
      const { bytes, durationMs } = await takePicture(browser, name, { folder, colorScheme, scale: 2 })
      const seconds = durationMs === undefined ? '' : `${(durationMs / 1000).toFixed(1)} s, `
      console.log(`${name}, ${colorScheme}: ${seconds}${(bytes / 1e6).toFixed(2)} MB`)
    }
} finally {
  await browser.close()
}
