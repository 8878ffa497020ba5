import type { ServerResponse } from 'node:http'

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `
  :root { color-scheme: light dark; --bg: #f6f7f9; --card: #fff; --text: #1d1f23; --accent: #14705a; --on-accent: #fff; --code: #eceef2 }
  @media (prefers-color-scheme: dark) { :root { --bg: #16181c; --card: #1f2228; --text: #e8eaee; --accent: #6fd3b4; --on-accent: #10211b; --code: #2c3038 } }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--bg); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
  main { background: var(--card); border-radius: 12px; padding: 32px; max-width: 480px; margin: 16px; box-shadow: 0 1px 4px rgb(0 0 0 / 20%) }
  main.long { max-width: 880px }
  h1 { font-size: 22px; margin: 0 0 12px }
  h2 { font-size: 18px; margin: 28px 0 8px }
  code { background: var(--code); border-radius: 4px; padding: 1px 5px }
  a { color: var(--accent); overflow-wrap: anywhere }
  a.button { display: inline-block; margin-top: 12px; padding: 10px 18px; border-radius: 8px; background: var(--accent); color: var(--on-accent); text-decoration: none; font-weight: 600 }
  table { border-collapse: collapse; width: 100%; font-size: 14px }
  th, td { padding: 8px 12px 8px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--code) }
  @media (max-width: 640px) { thead { display: none } td { display: block; border: 0; padding: 2px 0 } td::before { content: attr(data-head) ': '; font-weight: 600 } tr { display: block; padding: 10px 0; border-bottom: 1px solid var(--code) } }
  footer { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-top: 28px; font-size: 14px }
  a:focus-visible { outline: 3px solid var(--text); outline-offset: 2px }`

/** Renders `code` in backticks. */
const withCode = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

export const paragraphs = (lines: readonly string[]): string =>
  lines.map((line) => `<p>${withCode(line)}</p>`).join('')

export const anchor = (text: string, href: string, attributes = ''): string =>
  `<a${attributes} href="${escapeHtml(href)}">${escapeHtml(text)}</a>`

export const buttonLink = (text: string, href: string): string => anchor(text, href, ' class="button"')

/** @param id fragment of links to the section @param content HTML */
export const pageSection = (id: string, heading: string, content: string): string =>
  `<section id="${id}"><h2>${escapeHtml(heading)}</h2>${content}</section>`

export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((title) => `<th scope="col">${escapeHtml(title)}</th>`).join('')
  const renderCells = (row: readonly string[]) =>
    row.map((text, n) => `<td data-head="${escapeHtml(head[n] ?? '')}">${withCode(text)}</td>`).join('')
  const body = rows.map((row) => `<tr>${renderCells(row)}</tr>`).join('')
  return `<table><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table>`
}

export interface HtmlPage {
  readonly title: string
  /** HTML. */
  readonly content: string
  readonly isWide?: boolean
}

const renderPage = ({ title, content, isWide = false }: HtmlPage) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Callboard</title><style>${style}</style></head><body><main${isWide ? ' class="long"' : ''}><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`

/** The page's URL contains a code or a state, so it must not be cached, framed or sent as a referrer. */
export function setPageHeaders(response: ServerResponse): void {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('cache-control', 'no-store')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
}

export function sendPage(response: ServerResponse, status: number, page: HtmlPage): void {
  setPageHeaders(response)
  response.statusCode = status
  response.end(renderPage(page))
}
