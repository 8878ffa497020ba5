import '../prepare.ts'
import { mkdirSync } from 'node:fs'
import { startBrowser } from '../browser.ts'
import { makeAlertPicture } from './alert-picture.ts'
import { makeDigestPicture } from './digest-picture.ts'
import { makePictures } from './moving-picture/pictures.ts'
import { makeReportPicture } from './report-picture.ts'

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
    const { durationMs, bytes } = await makePictures(browser, folder, colorScheme, scale)
    console.log(`${colorScheme}: ${(durationMs / 1000).toFixed(1)} s, ${megabytes(bytes)}`)
    const ofReport = await makeReportPicture(browser, folder, colorScheme, scale)
    console.log(`report, ${colorScheme}: ${megabytes(ofReport)}`)
    const ofAlert = await makeAlertPicture(browser, folder, colorScheme, scale)
    console.log(`alert, ${colorScheme}: ${megabytes(ofAlert)}`)
    const ofDigest = await makeDigestPicture(browser, folder, colorScheme, scale)
    console.log(`digest, ${colorScheme}: ${megabytes(ofDigest)}`)
  }
} finally {
  await browser.close()
}
