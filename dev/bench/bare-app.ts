import { flushCompileCache } from 'node:module'
import bolt from '@slack/bolt'

// What a Slack app does at the least for the same answer: plain Bolt, a plain listener, the built-in fetch, respond(); no
// validation, no store, no zones, no retries, nothing remembered.

const { App } = bolt
const env = (name: string) => process.env[name] ?? ''
const service = env('TELEPHONY_BASE_URL')
const pair = new URLSearchParams({ key: env('SERVICE_KEY'), secret: env('SERVICE_SECRET') })

/** So that its message has as many bytes as the app's. */
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
  const response = await fetch(`${service}/incoming?${pair}&timezone=%2B01:00&page=${page}`)
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
  logLevel: bolt.LogLevel.ERROR,
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
  await ack()
  const page = Number(/page:(\d+)/.exec(command.text)?.[1] ?? 1)
  await respond({ response_type: 'ephemeral', ...(await message(page)) })
})

app.action(/^calls\.page\./, async ({ action, ack, respond }) => {
  await ack()
  const { page } = JSON.parse('value' in action && typeof action.value === 'string' ? action.value : '{}')
  await respond({ response_type: 'ephemeral', replace_original: true, ...(await message(page)) })
})

await app.start({ port: Number(env('PORT')), host: '127.0.0.1' })
// As the app does: what a killed process has compiled is there for the next one.
setImmediate(flushCompileCache)
