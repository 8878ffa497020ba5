import type { Browser as Chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { optionalScopes } from '../../../src/slack/access/scopes.ts'
import { useApp } from '../../support/app.ts'
import { supportUrl, withOAuth } from '../../support/oauth.ts'
import { connectBrowser, violations } from '../../support/shared/browser.ts'

const shownUrl = supportUrl.replaceAll('&', '&amp;')

const readPage = async (url: string) => (await fetch(url)).text()

describe('with installation by many workspaces', () => {
  const app = useApp(withOAuth)

  it('serves a page about its benefits, with what follows an installation, and support', async () => {
    const text = await readPage(app.url)
    const order = [
      'Callboard</p>',
      'No missed call is forgotten',
      'href="/slack/install">Add to Slack</a>',
      'What happens next',
      ...optionalScopes.map((scope) => `With <code>${scope}</code>, Callboard`),
      `<a href="${shownUrl}">help.example.com/callboard</a>`,
      'href="/privacy"',
    ]
    const places = order.map((part) => text.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    const head = await fetch(app.url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('serves a page about the data that it keeps', async () => {
    const text = await readPage(`${app.url}/privacy`)
    for (const part of ['What is kept', 'encrypted', 'how long', '100 days', '/callboard forget', shownUrl])
      expect(text).toContain(part)
    for (const id of ['retention', 'your-data']) expect(text).toContain(`<h2 id="${id}">`)
    expect(await readPage(`${app.url}/slack/oauth_redirect`)).toContain('href="/privacy"')
  })

  it('lets no page be framed, cached, named to others, run scripts or have its type guessed', async () => {
    for (const path of ['/', '/privacy', '/slack/install', '/slack/oauth_redirect', '/readyz', '/missing']) {
      const { headers } = await fetch(app.url + path, { redirect: 'manual' })
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      if (path === '/readyz' || path === '/missing') continue
      const policy = headers.get('content-security-policy')
      expect(policy, path).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
      const privacy = ['cache-control', 'referrer-policy'].map((name) => headers.get(name))
      expect(privacy, path).toEqual(['no-store', 'no-referrer'])
    }
  })

  it.each(['GET', 'HEAD'])("redirects %s /slack/install to Slack's consent page", async (method) => {
    const response = await fetch(`${app.url}/slack/install`, { method, redirect: 'manual' })
    const consentPage = `${new URL(app.slack.apiUrl).origin}/oauth/v2/authorize?`
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toContain(consentPage)
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

  it('forgets everything with /callboard forget, also on the Home tab', async () => {
    const { admin, slack } = app
    await admin.openHome()
    await admin.click(await admin.command('/callboard forget'), 'lifecycle.forget')
    await expect.poll(() => slack.home(admin.user)).toShow("isn't connected to your phone account")
    expect(slack.callsTo('apps.uninstall')).toEqual([])
  })

  it('links support in an error message with a reference', async () => {
    app.sandbox.faults.next({ kind: 'status', status: 500 }, { times: 3, operation: 'incoming' })
    expect(await app.member.command('/calls')).toShow('Ref ', '<mailto:help@example.com|Support>')
  })
})
