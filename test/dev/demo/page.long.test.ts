import { describe, expect, it } from 'vitest'
import { violations } from '../../support/shared/browser.ts'
import { useDemoPage } from './fixture.ts'

const fixture = useDemoPage()
const { open, wrong } = fixture

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

    await page.getByRole('button', { name: 'Miss a call', exact: true }).click()
    const alert = page.getByRole('article').filter({ hasText: /Missed call at / })
    await alert.getByRole('button', { name: "I'll take it" }).press('Enter', { timeout: 20_000 })
    await alert.getByText('Taken by').waitFor()
    await expect.poll(focused).toBe('Done')
    await alert.getByRole('button', { name: 'Done' }).press('Enter')
    await alert.getByText('Done by').waitFor()
    const isInMessage = "document.activeElement.closest('article') !== null"
    await expect.poll(() => page.evaluate(isInMessage)).toBe(true)
  })

  it('asks Slackbot in words and with a button in its answer, and keeps the conversation', async () => {
    const { page, be } = await open()
    await be('Ada')
    const slackbot = page.getByRole('button', { name: 'Slackbot', exact: true })
    await slackbot.click()
    await page.getByText('The real Slackbot understands more.').waitFor()
    const box = page.getByRole('textbox', { name: 'Message Slackbot' })
    const answers = page.getByRole('article', { name: "Slackbot's answer" })
    const ask = async (question: string) => {
      await box.fill(question)
      await box.press('Enter')
    }
    await ask('Who answers our calls?')
    await answers.getByText('Page 1 of 2').waitFor()
    expect(await violations(page)).toEqual([])
    await answers.getByRole('button', { name: 'Next' }).click()
    await answers.getByText('Page 2 of 2').waitFor()
    await page.getByRole('button', { name: 'How did last week go, by hour?' }).click()
    await answers.getByText('report_calls · range: last week · by: hour').waitFor()
    await answers
      .last()
      .getByRole('heading', { name: /: [\d,]+ calls, / })
      .waitFor()
    await ask('Tell me a joke')
    await answers.last().getByText('I only know a few words here').waitFor()
    expect(await violations(page)).toEqual([])

    // The answer mentions an administrator.
    await be('Ben')
    expect(await answers.count()).toBe(0)
    await ask('What does our phone account cost?')
    await answers.getByText('@Ada Marsh').waitFor()
    await page.getByRole('navigation').getByRole('button', { name: 'support' }).click()
    await be('Ada')
    await slackbot.click()
    await answers.getByText('Page 2 of 2').waitFor()
    expect(await answers.count()).toBe(3)
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
    // This completes a step of the tour.
    await page
      .getByRole('listitem')
      .filter({ hasText: "Find a customer's number" })
      .getByText('Done:')
      .waitFor()
    // Only public messages have that menu.
    await say('/calls number:0042')
    await sees('Only you can see this')
    expect(await newest().getByRole('button', { name: 'More actions' }).count()).toBe(0)
  })

  it('filters by the modal', async () => {
    const { page, say, newest, sees } = await open()
    await say('/calls')
    await sees(/Page 1 of \d\d/)
    await newest().getByRole('button', { name: 'Filter…' }).click()
    const modal = page.getByRole('dialog')
    await modal.getByLabel('Result').selectOption({ label: 'Answered' })
    const agent = modal.getByRole('combobox', { name: /Agent/ })
    await agent.fill('holl')
    await modal.locator('option[value="Hollis Grant"]').waitFor({ state: 'attached' })
    await agent.fill('Hollis Grant')
    expect(await violations(page)).toEqual([])
    await agent.fill('')
    await modal.getByRole('button', { name: 'Show calls' }).click()
    await newest().getByRole('heading', { name: 'Answered incoming calls' }).waitFor()
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

  it('completes commands and shows the traffic without secrets', async () => {
    const { page, say, newest } = await open()
    await page.getByRole('navigation').getByRole('button', { name: 'finance' }).click()
    for (const command of [
      '/callboard',
      '/calls open',
      '/calls schedules',
      '/billing post',
      '/callboard audit',
    ])
      await page.locator(`#commands option[value="${command} "]`).waitFor({ state: 'attached' })
    await say('/calls outgoing')
    await newest().getByRole('heading', { name: 'Outgoing calls' }).waitFor()
    await page.getByRole('button', { name: 'Traffic' }).click()
    const traffic = page.getByRole('region', { name: 'Traffic' })
    expect((await traffic.boundingBox())?.width).toBe(1280)
    await traffic.getByText('Slack sent, signed').click()
    await traffic
      .getByText(/POST outgoing of the service: HTTP 200/)
      .first()
      .click()
    const told = await traffic.innerText()
    expect(told).toContain('"command": "/calls"')
    expect(told).toContain('"key": "••••"')
    const all = await (await fetch(`${fixture.demo.url}/api/traffic`)).text()
    const { key, secret } = fixture.demo.sandbox.accounts.lively
    expect(all).toContain('view_submission')
    for (const hidden of [key, secret]) expect(all).not.toContain(hidden)
    expect(await violations(page)).toEqual([])
  })
})

it('submits a form after the answer to a choice in it', async () => {
  const { page, say } = await open()
  const chosen = Promise.withResolvers<void>()
  await page.route('**/api/act', async (route) => {
    if (route.request().postDataJSON().kind === 'act') await chosen.promise
    await route.continue()
  })
  await say('/billing settings')
  const settings = page.getByRole('dialog')
  await settings.getByLabel('Who else sees agents').selectOption({ label: 'No one else' })
  await settings.getByRole('button', { name: 'Save' }).click()
  chosen.resolve()
  await settings.getByText('Saved.').waitFor()
  await page.keyboard.press('Escape')
  await settings.waitFor({ state: 'detached' })
})

it('invites the app into a channel and shows its direct messages', async () => {
  const { page, say, be } = await open()
  const { slack } = fixture.demo
  await page.getByRole('navigation').getByRole('button', { name: 'warehouse' }).click()
  const uninvited = page.getByText("Callboard isn't invited here yet")
  await uninvited.waitFor()
  await say('/invite @Callboard')
  await page.getByText('Callboard is in #warehouse now.').waitFor()
  await uninvited.waitFor({ state: 'detached' })
  await say('/billing post')
  await page.getByText('Everyone in the channel will see this').waitFor()
  await page.keyboard.press('Escape')

  const token = slack.botToken
  const ada = fixture.demo.slack.calls.findLast(({ method }) => method === 'users.info')?.args['user']
  await fetch(`${slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: ada, text: 'For Ada alone' }),
  })
  await page.getByRole('button', { name: 'Callboard' }).click()
  await page.getByRole('button', { name: 'Messages' }).click()
  await page.getByText('For Ada alone').waitFor()
  expect(await violations(page)).toEqual([])
  await be('Ben')
  await page.getByText("Callboard hasn't written to you yet.").waitFor()
  await be('Ada')
})

it('installs the app in a second workspace, and both work side by side', async () => {
  const { page, say, newest } = await open()
  await page.getByRole('combobox', { name: 'Workspace' }).selectOption({ label: 'Two Rivers Bakery' })
  await page.getByText("Callboard isn't in Two Rivers Bakery yet.").waitFor()
  await say('/calls')
  await page.getByText('/calls is not a valid command.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Install it' }).click()
  await page.getByRole('heading', { name: 'What happens next' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Add to Slack' }).click()
  await page.getByText('View people in the workspace').waitFor()
  await page.getByText('Let Slackbot ask Callboard for you').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('You cancelled. Nothing was installed.').waitFor()
  // The browser logs the page's 403.
  const noted = wrong.findIndex((text) => text.includes('403'))
  expect(wrong.splice(noted, 1)).toEqual([expect.stringContaining('403 (Forbidden)')])
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Allow in Two Rivers Bakery, as Mia Rivers' }).click()
  await page.getByRole('heading', { name: 'Callboard is installed' }).waitFor()
  await page.getByText('Callboard is now in Two Rivers Bakery').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Open Slack' }).click()

  // Slack opens the app's message to the installer, which has a button to connect the account.
  await page.getByRole('heading', { name: 'Callboard' }).waitFor()
  await page.getByRole('radio', { name: /Mia Rivers/, checked: true }).waitFor()
  await newest()
    .getByRole('button', { name: /^Connect/ })
    .click()
  const modal = page.getByRole('dialog')
  const submit = modal.getByRole('button', { name: 'Connect', exact: true })
  const secret = modal.getByLabel(/^(API )?secret/i)
  await modal.getByLabel(/^(API )?key/i).fill(fixture.demo.sandbox.accounts.quiet.key)
  await submit.click()
  await modal.getByText('Please fill this in.').waitFor()
  await secret.fill('wrong')
  await modal.getByText('Please fill this in.').waitFor({ state: 'detached' })
  expect(await secret.getAttribute('aria-invalid')).toBe('false')
  await submit.click()
  await modal.locator('[aria-invalid="true"]').waitFor()
  expect(await secret.getAttribute('aria-invalid')).toBe('true')
  expect(await violations(page)).toEqual([])
  await modal.getByRole('button', { name: /^Fill in Two Rivers Bakery/ }).click()
  expect(await modal.locator('[aria-invalid="true"]').count()).toBe(0)
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
