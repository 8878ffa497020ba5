import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { violations } from '../../support/shared/browser.ts'
import { type Screen, useDemoPage } from './fixture.ts'

const { open } = useDemoPage()

const getTour = (page: Page) => page.getByRole('complementary', { name: 'About the demo' })

async function press(page: Page, step: string | RegExp): Promise<void> {
  const tour = getTour(page).getByRole('region', { name: /^Take the tour/ })
  await tour.getByRole('button', { name: step }).click()
}

/** Starts the step that the tour shows as the next one. */
async function startNext(page: Page, title: string): Promise<void> {
  const step = getTour(page).locator('li[aria-current=step]')
  await step.getByRole('heading', { name: title }).waitFor()
  await step.getByText('Next', { exact: true }).waitFor()
  await step
    .locator('button, a')
    .filter({ hasText: /^Start$/ })
    .click()
}

/** Clicks through the open modal, and closes its confirmation. */
async function save(page: Page, buttons: readonly string[]): Promise<void> {
  const modal = page.getByRole('dialog')
  for (const name of buttons) {
    await modal.getByRole('button', { name, exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await modal.getByRole('button', { name, exact: true }).click()
  }
  await modal.getByText('Saved.').waitFor()
  await modal.getByRole('button', { name: 'Close' }).last().click()
  await modal.waitFor({ state: 'detached' })
}

async function expectDone(page: Page, done: number): Promise<void> {
  const tour = getTour(page)
  await tour.getByText(`${done} of 9`).waitFor()
  await expect.poll(() => tour.getByText('Done:').count()).toBe(done)
}

const getPerson = (page: Page) => page.getByRole('radio', { checked: true }).locator('..').innerText()
const findAlert = (page: Page, title: RegExp) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) })

async function seeFirstScreen({ page, box }: Screen): Promise<void> {
  await findAlert(page, /^3 missed calls since /).waitFor()
  const [alert, question] = await page.getByRole('article').allInnerTexts()
  expect(alert).toMatch(/Support Berlin · 2 · [\s\S]*Sales London · 1 · [\s\S]*Taken by Ben Okoro at /)
  expect(question).toMatch(/Ben Okoro[\s\S]*When did we last call \+/)
  expect(await page.getByRole('article').count()).toBe(2)
  expect(await page.getByText('Only you can see this').count()).toBe(0)
  await expect.poll(() => box().inputValue()).toBe('/calls missed yesterday')
  expect(await getPerson(page)).toContain('Ada')
}

/** Walks from the first screen through the whole tour with clicks only. */
async function walk(screen: Screen): Promise<void> {
  const { page, box, newest, sees, say } = screen
  await seeFirstScreen(screen)
  expect(await violations(page)).toEqual([])
  await expectDone(page, 0)

  await startNext(page, 'Find missed calls')
  await sees('Only you can see this')
  await newest().getByRole('heading', { name: 'Missed calls' }).waitFor()
  expect(await newest().getByRole('row').count()).toBeGreaterThan(3)
  await expect.poll(() => box().inputValue()).toBe('')
  await expectDone(page, 1)

  await beAlerted(screen)

  await startNext(page, 'See last week in figures')
  await newest()
    .getByRole('heading', { name: /: [\d,]+ calls, / })
    .waitFor()
  await sees('Only you can see this')
  await newest()
    .getByRole('img', { name: /^Incoming calls per line/ })
    .waitFor()
  expect(await violations(page)).toEqual([])

  await say('/calls report today')
  await sees(/^Too few calls to compare with /)
  await expectDone(page, 5)
  await startNext(page, "Find a customer's number")
  await newest()
    .getByRole('heading', { name: /calls? to / })
    .waitFor()
  expect(await newest().getByRole('row').count()).toBeGreaterThan(1)
  await expectDone(page, 6)
  await seeTomorrow(screen)

  await startNext(page, 'Preview a bill')
  const post = page.getByRole('dialog', { name: 'Post billing' })
  await post.getByText('Preview.', { exact: true }).waitFor()
  await post.getByText('Billing: $244.99 a month').waitFor()
  const channel = post.getByLabel('Channel', { exact: true }).locator('option:checked')
  expect(await channel.innerText()).toBe('#finance')
  await post.getByRole('button', { name: 'Post', exact: true }).waitFor()
  expect(await violations(page)).toEqual([])
  await post.getByRole('button', { name: 'Cancel' }).click()
  await post.waitFor({ state: 'detached' })
  await expectDone(page, 8)
  await addCompany(screen)
  await expectDone(page, 9)
  await seeItBroken(screen)
  await press(page, 'Start over')
  const startOver = page.getByRole('dialog', { name: 'Start over?' })
  await startOver.getByText('This deletes everything you did').waitFor()
  expect(await violations(page)).toEqual([])
  await startOver.getByRole('button', { name: 'Delete and start over' }).click()
  await expectDone(page, 0)
  await seeFirstScreen(screen)
}

async function beAlerted({ page, newest }: Screen): Promise<void> {
  await startNext(page, 'See what is waiting')
  await page.getByText(/^A call just came in on (Support|Sales) \w+ and was missed\./).waitFor()
  const alert = findAlert(page, /^Missed call at /)
  await alert.waitFor({ timeout: 20_000 })
  expect(await alert.getByText('Only you can see this').count()).toBe(0)
  expect(await violations(page)).toEqual([])
  await press(page, 'List waiting calls')
  await newest().getByRole('heading', { name: 'A missed call has been waiting' }).waitFor()
  expect(await violations(page)).toEqual([])
  await expectDone(page, 2)
  await startNext(page, 'Take a missed call')
  const both = findAlert(page, /^2 missed calls since /)
  await both.getByRole('button', { name: /^(I'll take it|Take all)$/ }).click({ timeout: 20_000 })
  await both.getByText('Taken by Ada Marsh').waitFor()
  await both.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Done by Ada Marsh').waitFor()
  await expectDone(page, 3)

  await startNext(page, 'Take one line of a burst')
  const burst = findAlert(page, /^12 missed calls since /)
  const takeLine = burst.getByRole('button', { name: /^Take \d/ })
  await takeLine.first().waitFor({ timeout: 20_000 })
  const lineCount = await takeLine.count()
  await takeLine.first().click()
  await burst.getByText(/Ada Marsh has (it|them)/).waitFor()
  expect(await takeLine.count()).toBe(lineCount - 1)
  expect(await violations(page)).toEqual([])
  await expectDone(page, 4)
}

async function seeTomorrow({ page }: Screen): Promise<void> {
  await startNext(page, 'Schedule a daily report')
  await save(page, ['Save'])
  await expectDone(page, 6)
  await press(page, 'Next weekday, 9:00')
  const report = page.getByRole('article').filter({ hasText: 'Scheduled by Ada Marsh' })
  await report.getByRole('heading', { name: /: [\d,]+ calls, / }).waitFor({ timeout: 20_000 })
  expect(await report.getByText('Only you can see this').count()).toBe(0)
  expect(await report.locator('.message-head time').innerText()).toBe('09:00')
  await getTour(page)
    .getByText(/^(Mon|Tue|Wed|Thu|Fri) \d+ \w+, 09:0\d in Berlin$/)
    .waitFor()
  await expectDone(page, 7)
}

/** The end of the tour leads on. */
async function seeItBroken({ page, newest, sees }: Screen): Promise<void> {
  await getTour(page).getByText("That's the tour. Go on with:").waitFor()
  await press(page, 'Break the service')
  await page.getByText('The phone service is down now.').waitFor()
  const tryAgain = newest().getByRole('button', { name: 'Try again' })
  await tryAgain.waitFor()
  await sees("The phone service isn't responding")
  expect(await violations(page)).toEqual([])
  await page.getByRole('main').getByRole('button', { name: 'Fix it' }).click()
  await page.getByText('The phone service is down now.').waitFor({ state: 'detached' })
  await tryAgain.click()
  await newest().getByRole('heading', { name: 'Missed calls' }).waitFor()
}

async function addCompany({ page, newest }: Screen): Promise<void> {
  await startNext(page, 'Set it up in your workspace')
  await page.getByRole('link', { name: 'Add to Slack' }).click()
  await page.getByRole('link', { name: 'Allow in Two Rivers Bakery, as Mia Rivers' }).click()
  await page.getByRole('link', { name: 'Open Slack' }).click()
  // Slack opens the app's message to the installer.
  await expect.poll(() => getPerson(page)).toContain('Mia')
  await newest().getByText('Callboard').first().waitFor()
  await startNext(page, 'Set it up in your workspace')
  const modal = page.getByRole('dialog')
  await modal.getByRole('button', { name: /^Fill in Two Rivers Bakery/ }).click()
  expect(await violations(page)).toEqual([])
  await modal.getByRole('button', { name: 'Connect', exact: true }).click()
  await modal.getByText('Connected').waitFor()
  await modal.getByRole('button', { name: 'Close' }).first().click()
  await modal.waitFor({ state: 'detached' })
  // Connecting again would replace the account.
  await press(page, 'Set it up in your workspace')
  expect(await getTour(page).getByRole('button', { name: 'Start', exact: true }).count()).toBe(0)
  await page.getByRole('combobox', { name: 'Workspace' }).selectOption({ label: 'Larkfield Logistics' })
}

it.each([
  ['wide', 'light', { width: 1280, height: 860 }],
  ['narrow', 'dark', { width: 1080, height: 800 }],
] as const)(
  'a visitor clicks through the demo: %s, %s',
  async (_, colorScheme, viewport) => {
    await walk(await open({ viewport, colorScheme }))
  },
  120_000,
)
