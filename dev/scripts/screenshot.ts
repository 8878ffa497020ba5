import '../prepare.ts'
import { mkdirSync } from 'node:fs'
import { startBrowser } from '../browser.ts'
import { makeFilm } from './film.ts'
import { pictures, takePicture } from './pictures.ts'

// Makes the README's pictures, in light and in dark, out of the demo: the moving one with its still, a report, an alert and a digest.
// Usage: npm run screenshot [-- FOLDER]

const folder = process.argv[2] ?? 'docs'
/** For screens with small pixels. */
const scale = 2
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`

mkdirSync(folder, { recursive: true })
const browser = await startBrowser()
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const shot = { folder, colorScheme, scale }
    const { durationMs, bytes } = await makeFilm(browser, shot)
    console.log(`${colorScheme}: ${(durationMs / 1000).toFixed(1)} s, ${megabytes(bytes)}`)
    for (const name of pictures)
      console.log(`${name}, ${colorScheme}: ${megabytes(await takePicture(browser, name, shot))}`)
  }
} finally {
  await browser.close()
}
