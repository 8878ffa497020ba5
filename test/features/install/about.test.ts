import type { Browser as Chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { useApp } from '../../support/app.ts'
import { supportUrl, withOAuth } from '../../support/oauth.ts'
import { connectBrowser, violations } from '../../support/shared/browser.ts'

const shownUrl = supportUrl.replaceAll('&', '&amp;')

describe('with installation by many workspaces', () => {
  const app = useApp(withOAuth)

  it('serves a page about its functions, its data and support, with an install button', async () => {
    const response = await fetch(app.url)
    const text = await response.text()
    expect(response.status).toBe(200)
    for (const path of ['/', '/slack/install', '/slack/oauth_redirect']) {
      const { headers } = await fetch(app.url + path, { redirect: 'manual' })
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    for (const path of ['/', '/slack/install', '/slack/oauth_redirect', '/healthz', '/readyz', '/missing']) {
      const { headers } = await fetch(app.url + path, { redirect: 'manual' })
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    }
    expect(text).toContain('href="/slack/install">Add to Slack</a>')
    const parts = [
      '/calls',
      'What is kept',
      'Why',
      'encrypted',
      'how long',
      '100 days',
      '/callboard forget',
      'by ID and name',
    ]
    for (const part of parts) expect(text).toContain(part)
    for (const id of ['privacy', 'retention', 'your-data', 'support'])
      expect(text).toContain(`<section id="${id}">`)
    expect(text).toContain(`<a href="${shownUrl}">help.example.com/callboard</a>`)
    const head = await fetch(app.url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it.each(['GET', 'HEAD'])("redirects %s /slack/install to Slack's consent page", async (method) => {
    const response = await fetch(`${app.url}/slack/install`, { method, redirect: 'manual' })
    const consentPage = `${new URL(app.slack.apiUrl).origin}/oauth/v2/authorize?`
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      expect.stringContaining(consentPage),
    ])
  })

  let chromium: Chromium
  beforeAll(async () => {
    chromium = await connectBrowser()
  })
  afterAll(() => chromium.close())

  it.each([
    ['light', 1280],
    ['dark', 400],
  ] as const)('shows its pages %s and %i px wide to everyone', async (colorScheme, width) => {
    const context = await chromium.newContext({ colorScheme, viewport: { width, height: 800 } })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    for (const [path, link] of [
      ['/slack/oauth_redirect', 'Install Callboard'],
      ['/', 'Add to Slack'],
    ] as const) {
      await page.goto(app.url + path)
      await page.getByRole('link', { name: link }).waitFor()
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
    await page.getByRole('heading', { name: 'Privacy' }).waitFor()
    for (const link of await page.getByRole('link', { name: 'help.example.com' }).all())
      expect(await link.getAttribute('href')).toBe(supportUrl)
    expect(problems).toEqual([])
  })
})

describe('with one workspace', () => {
  const app = useApp({ connected: true, config: { supportUrl: 'mailto:help@example.com' } })

  it('has no install page', async () => {
    for (const path of ['/', '/slack/install']) expect((await fetch(app.url + path)).status).toBe(404)
  })

  it('links support in an error message with a reference', async () => {
    const { member, sandbox } = app
    sandbox.faults.next({ kind: 'status', status: 500 }, { times: 3, operation: 'incoming' })
    const unavailable = await member.command('/calls')
    expect(unavailable).toShow('Ref ', '<mailto:help@example.com|Support>')
  })
})
