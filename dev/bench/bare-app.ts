import { flushCompileCache } from 'node:module'
import bolt from '@slack/bolt'
import { Agent, request } from 'undici'

// The least that a Slack app does for the same answer: no validation, store, time zones, retries or caches. "Stock Bolt" is
// written like Slack's guides: it acknowledges, fetches and calls respond(). "Tuned Bolt" (TUNED=on) is as fast as Bolt can be:
// it acknowledges a command with the message, and its requests use undici's client instead of fetch.

const { App } = bolt
const env = (name: string) => process.env[name] ?? ''
const service = env('TELEPHONY_BASE_URL')
const isTuned = env('TUNED') === 'on'
const dispatcher = new Agent({ keepAliveTimeout: 60_000 })
const pair = new URLSearchParams({ key: env('SERVICE_KEY'), secret: env('SERVICE_SECRET') })

/** Pads the message to the length of the app's. */
const filler = ' '.repeat(Number(env('FILLER_BYTES') || 0))

interface WireCall {
  readonly 'DID number': string
  readonly 'Date Time': string
  readonly Duration: string
  readonly Status: string
  readonly Cost: string
  readonly Recording: string
}

async function message(page: number) {
  const url = `${service}/incoming?${pair}&timezone=%2B01:00&page=${page}`
  const response = isTuned ? (await request(url, { dispatcher })).body : await fetch(url)
  const { result, total_record } = (await response.json()) as { result: WireCall[]; total_record: string }
  const cell = (text: string) => ({ type: 'raw_text' as const, text: text || '–' })
  const rows = result.map((call) =>
    [
      call['Date Time'],
      call['DID number'],
      call.Duration,
      call.Status,
      call.Cost,
      call.Recording ? 'Yes' : '',
    ].map(cell),
  )
  const head = ['Time', 'Number', 'Duration', 'Status', 'Cost', 'Recording'].map(cell)
  const button = (name: string, to: number) => ({
    type: 'button' as const,
    action_id: `calls.page.${name}`,
    text: { type: 'plain_text' as const, text: name },
    value: JSON.stringify({ page: to }),
  })
  return {
    text: `Incoming calls, page ${page}${filler}`,
    blocks: [
      { type: 'header' as const, text: { type: 'plain_text' as const, text: 'Incoming calls' } },
      { type: 'table' as const, rows: [head, ...rows] },
      {
        type: 'context' as const,
        elements: [{ type: 'mrkdwn' as const, text: `Page ${page} of ${total_record}`, verbatim: true }],
      },
      { type: 'actions' as const, elements: [button('previous', page - 1), button('next', page + 1)] },
    ],
  }
}

const installation = (teamId: string) => ({
  team: { id: teamId },
  enterprise: undefined,
  user: { id: 'U1', token: undefined, scopes: undefined },
  bot: { id: 'B1', userId: 'UBOT', token: `xoxb-${teamId}`, scopes: ['commands'] },
})

const app = new App({
  signingSecret: env('SLACK_SIGNING_SECRET'),
  clientOptions: { slackApiUrl: env('SLACK_API_URL') },
  logLevel: bolt.LogLevel.INFO,
  ...(env('INSTALLATION_STORE') === 'on'
    ? {
        clientId: 'c',
        clientSecret: 's',
        stateSecret: 'state',
        scopes: ['commands'],
        installationStore: {
          storeInstallation: async () => {},
          fetchInstallation: async ({ teamId }: { teamId: string | undefined }) => installation(teamId ?? ''),
        },
      }
    : { token: env('SLACK_BOT_TOKEN') }),
})

app.command('/calls', async ({ command, ack, respond }) => {
  const page = Number(/page:(\d+)/.exec(command.text)?.[1] ?? 1)
  if (isTuned) return ack({ response_type: 'ephemeral', ...(await message(page)) })
  await ack()
  await respond({ response_type: 'ephemeral', ...(await message(page)) })
})

app.action(/^calls\.page\./, async ({ action, ack, body, respond }) => {
  await ack()
  const { page } = JSON.parse('value' in action && typeof action.value === 'string' ? action.value : '{}')
  const answer = { response_type: 'ephemeral' as const, replace_original: true, ...(await message(page)) }
  if (!isTuned || !('response_url' in body)) return void (await respond(answer))
  const headers = { 'content-type': 'application/json' }
  const posted = await request(body.response_url, {
    dispatcher,
    method: 'POST',
    headers,
    body: JSON.stringify(answer),
  })
  await posted.body.dump()
})

await app.start({ port: Number(env('PORT')), host: '127.0.0.1' })
// The app does the same, so that a killed process leaves its compiled code for the next one.
setImmediate(flushCompileCache)
