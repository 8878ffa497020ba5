import { mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { z } from 'zod'

// The package's own arguments turn protections off (--single-process, --disable-web-security): these do not.
const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--mute-audio']

/** Where the browser is unpacked, once; a folder for each version, since the package takes whatever it finds. */
async function executable(): Promise<string> {
  const text = readFileSync(new URL('../package.json', import.meta.resolve('@sparticuz/chromium')), 'utf8')
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(text))
  const folder = join(tmpdir(), `callboard-chromium-${version}`)
  mkdirSync(folder, { recursive: true })
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    return await chromium.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

/** A real Chromium out of an npm package. */
export async function startBrowser(): Promise<Browser> {
  return playwright.launch({ executablePath: await executable(), args, headless: true })
}
