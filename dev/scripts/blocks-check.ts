import '../prepare.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebClient } from '@slack/web-api'
import { startDemo } from '../demo/demo.ts'
import type { Message, User, View } from '../slack/slack.ts'

// Sends what the app shows to Slack's own blocks.validate, which asks for no token. Needs the internet, so nothing else runs
// it. Usage: npm run blocks:check (SLACK_API_URL: another address than Slack's)

const folder = mkdtempSync(join(tmpdir(), 'callboard-blocks-'))
const demo = await startDemo({ folder, port: 0, calls: 300 })
const { slack, sandbox, appUrl } = demo
const client = new WebClient(undefined, {
  timeout: 10_000,
  retryConfig: { retries: 0 },
  ...(process.env['SLACK_API_URL'] === undefined ? {} : { slackApiUrl: process.env['SLACK_API_URL'] }),
})
let refused = 0

async function check(what: string, surface: { message: Message } | { view: View }): Promise<void> {
  try {
    await client.apiCall('blocks.validate', argumentsFor(surface))
    console.log(`taken    ${what}`)
  } catch (error) {
    // Without a response of Slack's there is no point in going on.
    if (!(error instanceof Error && 'data' in error)) throw error
    refused += 1
    console.log(`refused  ${what}: ${JSON.stringify(error.data)}`)
  }
}

function argumentsFor(surface: { message: Message } | { view: View }) {
  if ('message' in surface) {
    const { text, blocks } = surface.message
    return { message: JSON.stringify({ text, blocks }) }
  }
  const { type, title, submit, close, blocks } = surface.view
  return { view: JSON.stringify({ type, title, submit, close, blocks }) }
}

const run = (text: string, command: string, user = slack.people.admin) =>
  slack.command(appUrl, { command, text, user })

async function checkMessage(text: string, command = '/calls', user?: User): Promise<Message> {
  const message = await (await run(text, command, user)).waitForMessage(15_000)
  await check(`${command} ${text}`, { message })
  return message
}

const viewOf = async (text: string, command: string) => (await run(text, command)).waitForView()

try {
  await checkMessage('')
  await checkMessage('', '/calls', slack.people.guest)
  const view = await viewOf('connect', '/calls')
  await check('the connect modal', { view })
  const { key, secret } = sandbox.accounts.lively
  const submitted = await slack.submit(appUrl, { view, values: { key, secret } })
  await check('the connect modal, connected', { view: await submitted.waitForView() })
  const message = await checkMessage('')
  for (const text of [
    'outgoing page:2',
    'help',
    'yesterdey',
    '2020-01-01',
    'agent:anna',
    'timezone',
    'disconnect',
  ])
    await checkMessage(text)
  const agents = await checkMessage('', '/agents')
  for (const text of ['help', 'nobody', 'hollis']) await checkMessage(text, '/agents')
  for (const text of ['', 'help', 'post', 'schedules', 'audit']) await checkMessage(text, '/billing')
  const schedule = await viewOf('schedule', '/billing')
  await check('the schedule modal', { view: schedule })
  const saved = await slack.submit(appUrl, { view: schedule, user: slack.people.admin })
  await check('the schedule modal, saved', { view: await saved.waitForView() })
  await checkMessage('schedules', '/billing')
  await checkMessage('forget', '/callboard')
  for (const user of [slack.people.admin, slack.people.member, slack.people.guest]) {
    await slack.event(appUrl, { type: 'app_home_opened', user: user.id, tab: 'home' })
    await check(`the home tab of ${user.name}`, { view: await slack.waitFor(() => slack.home(user)) })
  }
  await check('the settings modal', { view: await viewOf('settings', '/billing') })
  await check('the invoice modal', { view: await viewOf('invoices C-1', '/billing') })
  const row = agents.blocks.find(({ block_id }) => block_id?.startsWith('agents.row|'))
  const details = await slack.click(appUrl, {
    message: agents,
    action_id: 'agents.details',
    block_id: row?.block_id ?? '',
  })
  const detailsView = await details.waitForView()
  await check("an agent's details", { view: detailsView })
  const revealed = await slack.click(appUrl, { view: detailsView, action_id: 'agents.reveal' })
  await check("an agent's SIP password", { view: await revealed.waitForView() })
  const filter = await (await slack.click(appUrl, { message, action_id: 'calls.filter' })).waitForView()
  await check('the Filter… modal', { view: filter })
  sandbox.faults.always({ kind: 'status', status: 500 })
  await checkMessage('missed')
  console.log(refused === 0 ? 'Slack takes all of them.' : `Slack refuses ${refused} of them.`)
  process.exitCode = refused === 0 ? 0 : 1
} catch (error) {
  console.error(`Slack could not be asked: ${error instanceof Error ? error.message : 'unknown'}`)
  process.exitCode = 2
} finally {
  await demo.stop()
  rmSync(folder, { recursive: true, force: true })
}
