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

async function check(what: string, given: { message: Message } | { view: View }): Promise<void> {
  const shown =
    'message' in given
      ? { message: JSON.stringify({ text: given.message.text, blocks: given.message.blocks }) }
      : {
          view: JSON.stringify({
            type: given.view.type,
            title: given.view.title,
            submit: given.view.submit,
            close: given.view.close,
            blocks: given.view.blocks,
          }),
        }
  try {
    await client.apiCall('blocks.validate', shown)
    console.log(`taken    ${what}`)
  } catch (error) {
    const told = error instanceof Error && 'data' in error ? JSON.stringify(error.data) : undefined
    // Without an answer of Slack's there is no point in going on.
    if (told === undefined) throw error
    refused += 1
    console.log(`refused  ${what}: ${told}`)
  }
}

async function say(text: string, user: User = slack.people.admin, command = '/calls'): Promise<Message> {
  const message = await (await slack.command(appUrl, { command, text, user })).waitForMessage(15_000)
  await check(`${command} ${text}`, { message })
  return message
}

try {
  await say('')
  await say('', slack.people.guest)
  const view = await (
    await slack.command(appUrl, { command: '/calls', text: 'connect', user: slack.people.admin })
  ).waitForView()
  await check('the connect modal', { view })
  const { key, secret } = sandbox.accounts.lively
  const submitted = await slack.submit(appUrl, { view, values: { key, secret } })
  await check('the connect modal, connected', { view: await submitted.waitForView() })
  const message = await say('')
  for (const text of [
    'outgoing page:2',
    'help',
    'yesterdey',
    '2020-01-01',
    'agent:anna',
    'timezone',
    'disconnect',
  ])
    await say(text)
  const agents = await say('', slack.people.admin, '/agents')
  for (const text of ['help', 'nobody', 'hollis']) await say(text, slack.people.admin, '/agents')
  for (const text of ['', 'help', 'post', 'schedules', 'audit'])
    await say(text, slack.people.admin, '/billing')
  const openedBy = async (text: string) =>
    (await slack.command(appUrl, { command: '/billing', text, user: slack.people.admin })).waitForView()
  const schedule = await openedBy('schedule')
  await check('the schedule modal', { view: schedule })
  const saved = await slack.submit(appUrl, { view: schedule, user: slack.people.admin })
  await check('the schedule modal, saved', { view: await saved.waitForView() })
  await say('schedules', slack.people.admin, '/billing')
  await say('forget', slack.people.admin, '/callboard')
  for (const user of [slack.people.admin, slack.people.member, slack.people.guest]) {
    await slack.event(appUrl, { type: 'app_home_opened', user: user.id, tab: 'home' })
    await check(`the home tab of ${user.name}`, { view: await slack.waitFor(() => slack.home(user)) })
  }
  await check('the settings modal', { view: await openedBy('settings') })
  await check('the invoice modal', { view: await openedBy('invoices C-1') })
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
  await say('missed')
  console.log(refused === 0 ? 'Slack takes all of them.' : `Slack refuses ${refused} of them.`)
  process.exitCode = refused === 0 ? 0 : 1
} catch (error) {
  console.error(`Slack could not be asked: ${error instanceof Error ? error.message : 'unknown'}`)
  process.exitCode = 2
} finally {
  await demo.stop()
  rmSync(folder, { recursive: true, force: true })
}
