import { WebClient } from '@slack/web-api'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../../support/shared/browser.ts'
import { useDemoPage } from './fixture.ts'

const fixture = useDemoPage()
const { open } = fixture
const schemes = ['light', 'dark'] as const

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio, of an element's text on its own background. */
async function contrastOf(element: Locator): Promise<number> {
  const colors = await element.evaluate((node) => {
    const window = globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> }
    const style = window.getComputedStyle(node)
    return [style['color'], style['backgroundColor'], style['filter']]
  })
  const [text = '', background = '', filter = ''] = colors
  const brightness = Number(/brightness\(([\d.]+)\)/.exec(filter)?.[1] ?? 1)
  const luminance = (rgb: string) => {
    const [red = 0, green = 0, blue = 0] = (rgb.match(/[\d.]+/g) ?? []).map((one) => {
      const part = (Number(one) * brightness) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [low = 0, high = 0] = [luminance(text), luminance(background)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

it.each(schemes)('a primary button can be read, pointed at or not, in %s', async (colorScheme) => {
  const { page, say, newest, box } = await open(fixture.demo, { colorScheme })
  await say('/calls alerts')
  const create = newest().getByRole('button', { name: /^New alert/ })
  await create.waitFor()
  await box().fill('a')
  for (const button of [create, page.getByRole('button', { name: 'Send' })]) {
    await page.mouse.move(0, 0)
    expect(await contrastOf(button)).toBeGreaterThanOrEqual(4.5)
    await button.hover()
    expect(await contrastOf(button)).toBeGreaterThanOrEqual(4.5)
  }
})

it('a button of the tour stays as wide while it works, and the steps below it where they are', async () => {
  const { page } = await open()
  const tour = page.getByRole('complementary', { name: 'About the demo' })
  const slow = tour.getByRole('button', { name: 'Slow service' })
  const last = tour.getByRole('heading', { name: 'Set it up in your workspace' })
  const places = async () => [await slow.boundingBox(), await last.boundingBox()]
  await slow.scrollIntoViewIfNeeded()
  const before = await places()
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  await page.route('**/api/act', async (route) => {
    await isOver
    await route.fulfill({ json: {} })
  })
  await slow.click()
  await tour.locator('[aria-busy=true]').waitFor()
  expect(await places()).toEqual(before)
  expect(await violations(page)).toEqual([])
  end()
  await tour.locator('[aria-busy=true]').waitFor({ state: 'detached' })
})

it('text is drawn in the font that comes with the page, with digits of one width', async () => {
  const { page } = await open()
  const loaded = '[...await document.fonts.ready].filter(({ status }) => status === "loaded")'
  expect(await page.evaluate(`(async () => ${loaded}.map(({ family }) => family))()`)).toContain('Lato')
  const widths = (style: string) => `[...'0123456789'].map((digit) => {
    const context = document.createElement('canvas').getContext('2d')
    context.font = '${style}'
    return context.measureText(digit).width
  })`
  for (const style of ['14px Lato', 'bold 14px Lato'])
    expect(new Set(await page.evaluate<number[]>(widths(style))).size).toBe(1)
})

it('the first link leads to the message box', async () => {
  const { page, box } = await open()
  const skip = page.getByRole('link', { name: 'Skip to message box' })
  await page.evaluate('document.activeElement.blur(), getSelection().removeAllRanges()')
  await skip.focus()
  expect((await skip.boundingBox())?.height).toBeGreaterThan(20)
  expect(await page.locator('a, button, input, select').first().innerText()).toBe('Skip to message box')
  await skip.press('Enter')
  await expect.poll(() => box().evaluate('document.activeElement.id')).toBe('message-box')
})

describe('what Slack does by itself', () => {
  it("opens a link to one of its messages in the page, and shows how many messages of the app's are unread", async () => {
    const { page } = await open()
    const { slack } = fixture.demo
    const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl })
    const url = 'https://team-1.slack.com/archives/C0FINANCE1/p1700000000000100'
    const button = { type: 'button' as const, text: { type: 'plain_text' as const, text: 'View post' }, url }
    await client.chat.postMessage({
      channel: 'U0ADA1',
      text: 'Posted',
      blocks: [{ type: 'actions', elements: [button] }],
      unfurl_links: false,
      unfurl_media: false,
    })
    await page.getByRole('button', { name: 'Callboard 1 unread' }).click()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Messages 1 unread' }).click()
    await page.getByRole('button', { name: 'Callboard', exact: true }).waitFor()
    await page.getByRole('link', { name: 'View post' }).click()
    await page.getByRole('heading', { name: '#finance' }).waitFor()
    expect(page.context().pages()).toHaveLength(1)
  })
})

it('shows the error of a tour button', async () => {
  const { page } = await open()
  await page.route('**/api/act', (route) => route.fulfill({ json: { problem: 'It is gone.' } }))
  await page.getByRole('button', { name: 'Service down' }).click()
  await page.getByRole('alert').getByText('It is gone.').waitFor()
})
