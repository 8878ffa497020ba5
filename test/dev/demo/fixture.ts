import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type Demo, startDemo } from '../../../dev/demo/demo.ts'
import { leakedSecrets } from '../../support/secrets.ts'
import { connectBrowser } from '../../support/shared/browser.ts'

type ContextOptions = Parameters<Browser['newContext']>[0]

export type Screen = Awaited<ReturnType<ReturnType<typeof useDemoPage>['open']>>

/** Starts a demo and a browser for the tests of a file, and records the page's errors and foreign requests. */
export function useDemoPage() {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-page-'))
  let browser: Browser
  let demo: Demo
  const wrong: string[] = []
  const start = () =>
    // On a busy machine, clicks may take longer.
    startDemo({ folder: join(folder, 'demo'), port: 0, calls: 300, ackTimeoutMs: 15_000 })

  async function stop(): Promise<void> {
    await demo.stop()
    const log = readFileSync(join(folder, 'demo', 'callboard.log'), 'utf8')
    expect(leakedSecrets(demo.slack, demo.sandbox, [log])).toEqual([])
    expect(demo.slack.violations).toEqual([])
    expect(demo.slack.dropped).toEqual([])
  }

  beforeAll(async () => {
    ;[browser, demo] = await Promise.all([connectBrowser(), start()])
  })
  afterAll(async () => {
    await browser.close()
    await stop()
    rmSync(folder, { recursive: true, force: true })
    expect(wrong).toEqual([])
  })

  /** Opens an empty page and records its errors. */
  async function newPage(options: ContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    onTestFinished(() => context.close())
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') wrong.push(message.text())
    })
    page.on('pageerror', (error) => wrong.push(error.message))
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url())
      if (protocol !== 'data:' && hostname !== '127.0.0.1') wrong.push(request.url())
    })
    return page
  }

  return {
    get demo() {
      return demo
    },
    async open(options: ContextOptions = {}) {
      // A test that failed before may have left a modal open, which would cover the page.
      for (const view of demo.slack.openViews()) demo.slack.closeView({ view })
      const page = await newPage(options)
      await page.goto(demo.url)
      const box = () => page.getByRole('combobox', { name: /^Message #/ })
      await box().waitFor()
      return {
        page,
        /** The message box. */
        box,
        async say(text: string) {
          await box().fill(text)
          await box().press('Enter')
        },
        async be(name: string) {
          const person = { name: new RegExp(name) }
          await page.getByRole('radio', person).click({ force: true })
          await page.getByRole('radio', { ...person, checked: true }).waitFor()
        },
        /** The newest message. */
        newest: () => page.getByRole('article').last(),
        /** Waits until the newest message shows this text. */
        sees: (text: string | RegExp) => page.getByRole('article').last().getByText(text).waitFor(),
      }
    },
  }
}
