import { describe, expect, it } from 'vitest'
import { violations } from '../../support/shared/browser.ts'
import { useDemoPage } from './fixture.ts'

const fixture = useDemoPage()
const { open, wrong } = fixture

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

it('shows the error of a tour button', async () => {
  const { page } = await open()
  await page.route('**/api/act', (route) => route.fulfill({ json: { problem: 'It is gone.' } }))
  await page.getByRole('button', { name: 'Service down' }).click()
  await page.getByRole('alert').getByText('It is gone.').waitFor()
})

describe('the page', () => {
  it('plays recordings', async () => {
    const { page, say, newest } = await open()
    await say('/calls answered')
    const tab = page.context().waitForEvent('page')
    await newest().getByRole('link', { name: 'Listen' }).first().click()
    const player = (await tab).locator('video, audio')
    await player.waitFor()
    const duration = "document.querySelector('video, audio').duration"
    await expect.poll(async () => (await tab).evaluate(duration)).toBe(2)
  })

  it('keeps the focus after a click that replaces its button, and after a form', async () => {
    const { page, say, newest, box } = await open()
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    const modal = page.getByRole('dialog')
    await say('/calls')
    const filter = newest().getByRole('button', { name: 'Filter…' })
    await filter.press('Enter')
    await modal.getByRole('button', { name: 'Cancel' }).press('Enter')
    await modal.waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Filter…')
    await filter.press('Enter')
    await modal.getByRole('button', { name: 'Show calls' }).press('Enter')
    await modal.waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Filter…')
    await say('/billing settings')
    await modal.waitFor()
    await page.keyboard.press('Escape')
    await modal.waitFor({ state: 'detached' })
    await expect.poll(() => box().evaluate('document.activeElement.id')).toBe('message-box')
  })

  it('asks Slackbot in words and with a button in its answer, and keeps the conversation', async () => {
    const { page, be } = await open()
    await be('Ada')
    const slackbot = page.getByRole('button', { name: 'Slackbot', exact: true })
    await slackbot.click()
    const box = page.getByRole('textbox', { name: 'Message Slackbot' })
    const answers = page.getByRole('article', { name: "Slackbot's answer" })
    const ask = async (question: string) => {
      await box.fill(question)
      await box.press('Enter')
    }
    await ask('Who answers our calls?')
    await answers.getByText('Page 1 of 2').waitFor()
    await answers.getByRole('button', { name: 'Next' }).click()
    await answers.getByText('Page 2 of 2').waitFor()
    await ask('Tell me a joke')
    await answers.last().getByText('I only know a few words here').waitFor()
    expect(await violations(page)).toEqual([])
    await be('Ben')
    expect(await answers.count()).toBe(0)
    await be('Ada')
    await slackbot.click()
    await answers.getByText('Page 2 of 2').waitFor()
    expect(await answers.count()).toBe(2)
  })

  it("finds the calls of a number with the message's menu", async () => {
    const { page, say, newest, sees } = await open()
    await say('Did anybody call +44 20 7946 0042 back?')
    await sees('Did anybody call')
    await newest().getByRole('button', { name: 'More actions' }).click()
    expect(await violations(page)).toEqual([])
    const item = newest().getByRole('button', { name: 'Find calls by number' })
    await item.press('Enter')
    const modal = page.getByRole('dialog')
    await modal.getByText(/calls? to Sales London/).waitFor()
    expect(await violations(page)).toEqual([])
    await modal.getByRole('button', { name: 'Close' }).last().click()
    await modal.waitFor({ state: 'detached' })
    // Only public messages have that menu.
    await say('/calls number:0042')
    await sees('Only you can see this')
    expect(await newest().getByRole('button', { name: 'More actions' }).count()).toBe(0)
  })

  it('adds and removes the lines of an alert with its form', async () => {
    const { page, say, newest } = await open()
    await say('/calls alerts')
    await newest().getByRole('button', { name: 'New alert…' }).click()
    const modal = page.getByRole('dialog')
    const lines = modal.getByRole('combobox', { name: /Lines/ })
    const removals = modal.getByRole('button', { name: /^Remove / })
    for (const index of [0, 1]) {
      await lines.blur()
      await lines.focus()
      const option = modal.locator('datalist option').nth(index)
      await option.waitFor({ state: 'attached' })
      await lines.fill((await option.getAttribute('value')) ?? '')
    }
    expect(await removals.count()).toBe(2)
    await removals.first().click()
    await modal.getByLabel('Post after how many missed calls?').fill('4')
    expect(await violations(page)).toEqual([])
    await modal.getByRole('button', { name: 'Save' }).click()
    await modal.getByText(/: 4 or more missed calls on (?!.+ or ).+ within/).waitFor()
    await modal.getByRole('button', { name: 'Close' }).last().click()
    await newest().getByRole('button', { name: 'More', exact: true }).last().click()
    await newest().getByRole('button', { name: 'Mute for an hour' }).click()
    await newest().getByText('muted this alert until').waitFor()
  })

  it('shows private answers to one person only', async () => {
    const { page, say, be, sees } = await open()
    await page.getByRole('navigation').getByRole('button', { name: 'sales-us' }).click()
    await be('Ben')
    await say('/calls')
    await sees(/Page 1 of \d\d/)
    await sees('America/New_York')
    await be('Gus')
    await expect.poll(() => page.getByRole('article').count()).toBe(0)
    await say('/cals')
    await sees('is not a valid command')
    expect(await violations(page)).toEqual([])
  })

  it('shows the traffic without secrets', async () => {
    const { page, say, newest } = await open()
    await say('/calls outgoing')
    await newest().getByRole('heading', { name: 'Outgoing calls' }).waitFor()
    await page.getByRole('button', { name: 'Traffic' }).click()
    const traffic = page.getByRole('region', { name: 'Traffic' })
    await traffic.getByText('Slack sent, signed').click()
    await traffic
      .getByText(/POST outgoing of the service: HTTP 200/)
      .first()
      .click()
    const shown = await traffic.innerText()
    expect(shown).toContain('"command": "/calls"')
    expect(shown).toContain('"key": "••••"')
    const all = await (await fetch(`${fixture.demo.url}/api/traffic`)).text()
    const { key, secret } = fixture.demo.sandbox.accounts.lively
    expect(all).toContain('view_submission')
    for (const hidden of [key, secret]) expect(all).not.toContain(hidden)
    expect(await violations(page)).toEqual([])
  })
})

it('invites the app into a channel', async () => {
  const { page, say } = await open()
  await page.getByRole('navigation').getByRole('button', { name: 'warehouse' }).click()
  const uninvited = page.getByText("Callboard isn't invited here yet")
  await uninvited.waitFor()
  await say('/invite @Callboard')
  await page.getByText('Callboard is in #warehouse now.').waitFor()
  await uninvited.waitFor({ state: 'detached' })
})

it('installs the app in a second workspace, and both work side by side', async () => {
  const { page, say, newest } = await open()
  await page.getByRole('combobox', { name: 'Workspace' }).selectOption({ label: 'Two Rivers Bakery' })
  await page.getByText("Callboard isn't in Two Rivers Bakery yet.").waitFor()
  await page.getByRole('link', { name: 'Install it' }).click()
  await page.getByRole('link', { name: 'Add to Slack' }).click()
  await page.getByText('View people in the workspace').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('You cancelled. Nothing was installed.').waitFor()
  // The browser logs the page's 403.
  const noted = wrong.findIndex((text) => text.includes('403'))
  expect(wrong.splice(noted, 1)).toEqual([expect.stringContaining('403 (Forbidden)')])
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Allow in Two Rivers Bakery, as Mia Rivers' }).click()
  await page.getByText('Callboard is now in Two Rivers Bakery').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Open Slack' }).click()

  // Slack opens the app's message to the installer, which has a button to connect the account.
  await page.getByRole('radio', { name: /Mia Rivers/, checked: true }).waitFor()
  await newest()
    .getByRole('button', { name: /^Connect/ })
    .click()
  const modal = page.getByRole('dialog')
  const submit = modal.getByRole('button', { name: 'Connect', exact: true })
  await modal.getByLabel(/^(API )?key/i).fill(fixture.demo.sandbox.accounts.quiet.key)
  await submit.click()
  await modal.getByText('Please fill this in.').waitFor()
  await modal.getByLabel(/^(API )?secret/i).fill('wrong')
  await submit.click()
  await modal.locator('[aria-invalid="true"]').waitFor()
  expect(await violations(page)).toEqual([])
  await modal.getByRole('button', { name: /^Fill in Two Rivers Bakery/ }).click()
  await submit.click()
  await modal.getByText('Connected').waitFor()
  await page.keyboard.press('Escape')
  await modal.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Home', exact: true }).click()
  await page.getByText('✓ Connected').waitFor()
  expect(await violations(page)).toEqual([])

  const agents = async (workspace: string) => {
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption({ label: workspace })
    await page.getByRole('navigation').getByRole('button').first().click()
    await say('/agents')
    await newest().getByRole('heading').waitFor()
    return newest().innerText()
  }
  const theirs = await agents('Two Rivers Bakery')
  const ours = await agents('Larkfield Logistics')
  for (const { name } of fixture.demo.sandbox.accounts.quiet.agents) {
    expect(theirs).toContain(name)
    expect(ours).not.toContain(name)
  }
})

it("shows Slack's timeout if an acknowledgement comes too late", async () => {
  await fixture.startNext({ ackTimeoutMs: 1500 })
  const { say, sees } = await open()
  await say('/calls')
  await sees(/Page 1 of \d\d/)
  fixture.demo.sandbox.faults.always({ kind: 'delay', ms: 4000 })
  await say('/calls')
  await sees('operation_timeout')
})
