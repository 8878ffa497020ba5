import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { askShared } from './ask.ts'

/** Connects to the browser of all files. Closing the connection closes only its own pages. */
export const connectBrowser = async (): Promise<Browser> => chromium.connect(await askShared('browser'))

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe)
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    `(async () => (await axe.run({ resultTypes: ['violations'], selectors: false, preload: false })).violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))()`,
  )
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
