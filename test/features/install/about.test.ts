import type { Browser as Chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { useApp } from '../../support/app.ts'
import { supportUrl, withOAuth } from '../../support/oauth.ts'
import { connectBrowser, violations } from '../../support/shared/browser.ts'

const shownUrl = supportUrl.replaceAll('&', '&amp;')

describe('with installation by many workspaces', () => {
  const app = useApp(withOAuth)

  it('serves a page about its benefits, with what follows an installation, and support', async () => {
    const response = await fetch(app.url)
    const text = await response.text()
    expect(response.status).toBe(200)
    const pages = ['/', '/privacy', '/slack/install', '/slack/oauth_redirect']
    for (const path of [...pages, '/healthz', '/readyz', '/missing']) {
      const { headers } = await fetch(app.url + path, { redirect: 'manual' })
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      if (pages.includes(path)) expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    const order = [
      'Callboard</p>',
      'role="img"',
      'class="benefits"',
      'href="/slack/install">Add to Slack</a>',
      'What happens next',
      "Guests can't ask, but read what is posted in their channels.",
      'href="/privacy"',
    ]
    const places = order.map((part) => text.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(text).toContain(`<a href="${shownUrl}">help.example.com/callboard</a>`)
    expect(text).not.toContain('What is kept')
    const head = await fetch(app.url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('serves a page about the data that it keeps', async () => {
    const text = await (await fetch(`${app.url}/privacy`)).text()
    const parts = [
      'What is kept',
      'Why',
      'encrypted',
      'how long',
      '100 days',
      '/callboard forget',
      'by ID and name',
    ]
    for (const part of parts) expect(text).toContain(part)
    for (const id of ['retention', 'your-data']) expect(text).toContain(`<section id="${id}">`)
    expect(text).toContain(`<a href="${shownUrl}">help.example.com/callboard</a>`)
    const failed = await (await fetch(`${app.url}/slack/oauth_redirect`)).text()
    expect(failed).toContain('href="/privacy"')
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
      ['/privacy', 'About Callboard'],
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
    for (const path of ['/', '/privacy', '/slack/install'])
      expect((await fetch(app.url + path)).status).toBe(404)
  })

  it('links support in an error message with a reference', async () => {
    const { member, sandbox } = app
    sandbox.faults.next({ kind: 'status', status: 500 }, { times: 3, operation: 'incoming' })
    const unavailable = await member.command('/calls')
    expect(unavailable).toShow('Ref ', '<mailto:help@example.com|Support>')
  })
})
