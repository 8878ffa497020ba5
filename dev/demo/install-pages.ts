import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { escapeHtml } from '../../src/features/install/html-page.ts'

/**
 * The app's web pages (install, installed, not installed, about) as the app sends them, with one link more: outside a demo
 * nobody needs a way back to one.
 */
export function installPages(appUrl: string, pageUrl: () => string): Server {
  const app = new Hono()
  app.get('*', async (c) => {
    const { pathname, search } = new URL(c.req.url)
    const answer = await fetch(new URL(pathname + search, appUrl), {
      method: c.req.method,
      headers: { cookie: c.req.header('cookie') ?? '' },
      redirect: 'manual',
    })
    const headers = new Headers(answer.headers)
    headers.delete('content-length')
    const body = await answer.text()
    const isPage = (headers.get('content-type') ?? '').startsWith('text/html')
    return new Response(isPage ? withWayBack(body, pageUrl()) : body, { status: answer.status, headers })
  })
  return createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
}

/** In the page's footer, which some have. */
function withWayBack(html: string, href: string): string {
  const link = `<a href="${escapeHtml(href)}">Back to the demo</a>`
  return html.includes('</footer>')
    ? html.replace('</footer>', () => `${link}</footer>`)
    : html.replace('</main>', () => `<footer>${link}</footer></main>`)
}
