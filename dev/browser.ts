import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Browser, type BrowserServer, type LaunchOptions, chromium as playwright } from 'playwright-core'
import { z } from 'zod'

/** Unpacks the package's browser once. Each version has a folder, because the package reuses any file that it finds. */
async function unpacked(): Promise<string> {
  const { default: chromium } = await import('@sparticuz/chromium')
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const text = readFileSync(join(dirname(entry), '../package.json'), 'utf8')
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

/** @param start launches the browser with the options for this platform */
async function launch<T>(start: (options: LaunchOptions) => Promise<T>): Promise<T> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    // The package's own arguments turn protections off (--single-process, --disable-web-security); these don't.
    const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--mute-audio']
    return start({ executablePath: await unpacked(), args, headless: true })
  }
  const failures: unknown[] = []
  for (const channel of ['chrome', 'msedge']) {
    try {
      return await start({ channel, args: ['--mute-audio'], headless: true })
    } catch (error) {
      failures.push(error)
    }
  }
  throw new Error(
    `On ${process.platform} (${process.arch}) the page is opened in Google Chrome or Microsoft Edge, and neither starts: install one of them`,
    { cause: new AggregateError(failures) },
  )
}

/** Starts a headless browser: on Linux the Chromium of an npm package, elsewhere the installed one. */
export const startBrowser = (): Promise<Browser> => launch((options) => playwright.launch(options))

/** Starts a browser that several processes can connect to. */
export const startBrowserServer = (): Promise<BrowserServer> =>
  launch((options) => playwright.launchServer(options))
