import { WebClient } from '@slack/web-api'
import { expect, it } from 'vitest'
import { violations } from '../../support/shared/browser.ts'
import { useDemoPage } from './fixture.ts'

const fixture = useDemoPage()
const { open } = fixture

it('shows the whole tour at 1080 × 800, whichever step is open', async () => {
  const { page, be } = await open(undefined, { viewport: { width: 1080, height: 800 } })
  // The other time zone takes a line.
  await be('Ben')
  const tour = page.getByRole('complementary', { name: 'About the demo' })
  const steps = tour.getByRole('listitem')
  expect(await steps.count()).toBeGreaterThan(7)
  for (const step of await steps.all()) {
    const title = step.getByRole('button').first()
    if ((await title.getAttribute('aria-expanded')) === 'false') await title.click()
    const start = step.getByText('Start', { exact: true })
    await start.waitFor()
    expect(await start.getAttribute('class')).toBe('button primary')
    expect(await tour.getByText('Start', { exact: true }).count()).toBe(1)
    const side = "document.querySelector('.side')"
    const isCut = await page.evaluate(`${side}.scrollHeight > ${side}.clientHeight`)
    expect(isCut).toBe(false)
    expect(await violations(page)).toEqual([])
  }
})

it('opens links to messages in the page and counts unread messages', async () => {
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
it('shows the error of a tour button', async () => {
  const { page } = await open()
  await page.route('**/api/act', (route) => route.fulfill({ json: { problem: 'It is gone.' } }))
  await page.getByRole('button', { name: 'Service down' }).click()
  await page.getByRole('alert').getByText('It is gone.').waitFor()
})
