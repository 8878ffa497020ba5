import '../prepare.ts'
import { mkdirSync } from 'node:fs'
import { startBrowser } from '../browser.ts'
import { pictures, takePicture } from './pictures.ts'

// Takes the pictures of the README and the guide from the demo, in light and dark: all that `pictures` lists.
// Usage: npm run screenshot [-- FOLDER]

const folder = process.argv[2] ?? 'docs'
mkdirSync(folder, { recursive: true })
const browser = await startBrowser()
try {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const name of pictures) {
      // For high-resolution screens.
      const { bytes, durationMs } = await takePicture(browser, name, { folder, colorScheme, scale: 2 })
      const seconds = durationMs === undefined ? '' : `${(durationMs / 1000).toFixed(1)} s, `
      console.log(`${name}, ${colorScheme}: ${seconds}${(bytes / 1e6).toFixed(2)} MB`)
    }
} finally {
  await browser.close()
}
