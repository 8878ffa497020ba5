import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent } from 'undici'
import { enterprise, teamId, webApi } from './web-api.ts'

export { botToken, enterprise, teamId } from './web-api.ts'

/** What one interaction took, in milliseconds from the request. */
export interface Sample {
  readonly kind: 'command' | 'click'
  readonly ackMs: number
  /** Until the message with its table was there. */
  readonly shownMs: number
}

export interface Interaction {
  readonly kind: Sample['kind']
  /** Which of the workspaces. */
  readonly team: number
  readonly page: number
  /** `/calls` unless given. */
  readonly command?: '/agents' | '/billing'
}

/** What came of an interaction, whatever it says. */
export interface Answer extends Sample {
  readonly text: string
}

/** A stand-in for Slack that costs little: signed requests out, `response_url`s and a few Web API methods in. */
export interface SlackStandIn {
  readonly apiUrl: string
  readonly signingSecret: string
  /**
   * Sends it and waits for what is shown, 12 s at most.
   * @throws {NotAcknowledgedError}, {NotAnsweredError}
   */
  ask(appUrl: string, interaction: Interaction): Promise<Answer>
  /** @throws {Error} where the acknowledgement is no 200, or what comes is no table of 20 calls */
  send(appUrl: string, interaction: Interaction): Promise<Sample>
  close(): Promise<void>
}

/** Slack would tell the person that the app did not respond. */
export class NotAcknowledgedError extends Error {}
/** It was acknowledged, and nothing ever came. */
export class NotAnsweredError extends Error {}

const answeredWithinMs = 12_000

/** 20 rows and their head; what is no such message is counted as wrong. */
const isPage = (text: string) => text.includes('"table"') && text.split('"raw_text"').length > 20 * 5

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export async function startSlack(): Promise<SlackStandIn> {
  const signingSecret = randomBytes(16).toString('hex')
  const signingKey = createSecretKey(Buffer.from(signingSecret))
  const agent = new Agent({ keepAliveTimeout: 60_000 })
  const waiting = new Map<string, (text: string) => void>()
  let count = 0
  const base = Math.floor(Date.now() / 1000)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request)
    const [, area = '', name = ''] = (request.url ?? '').split('/')
    if (area === 'r') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('ok')
      waiting.get(name)?.(text)
      return
    }
    const known = webApi[name]?.(new URLSearchParams(text)) ?? { ok: false, error: 'unknown_method' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(known))
  }
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

  function bodyFor({ kind, team, page, command }: Interaction, id: string): string {
    const responseUrl = `${origin}/r/${id}`
    const user = `U${teamId(team).slice(1)}`
    if (kind === 'command') {
      return new URLSearchParams({
        command: command ?? '/calls',
        text: command === undefined ? `page:${page}` : '',
        team_id: teamId(team),
        enterprise_id: enterprise,
        channel_id: 'C1',
        user_id: user,
        response_url: responseUrl,
        trigger_id: 't',
      }).toString()
    }
    const at = `${base + Math.floor(count / 1_000_000)}.${String(count % 1_000_000).padStart(6, '0')}`
    const payload = {
      type: 'block_actions',
      team: { id: teamId(team) },
      enterprise: { id: enterprise },
      user: { id: user, team_id: teamId(team) },
      channel: { id: 'C1' },
      container: { type: 'message', message_ts: at, channel_id: 'C1', is_ephemeral: true },
      trigger_id: 't',
      response_url: responseUrl,
      actions: [
        {
          type: 'button',
          action_id: 'calls.page.next',
          block_id: 'b',
          action_ts: at,
          value: JSON.stringify({ direction: 'incoming', page }),
        },
      ],
    }
    return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
  }

  async function ask(appUrl: string, interaction: Interaction): Promise<Answer> {
    count += 1
    const id = String(count)
    const body = bodyFor(interaction, id)
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', signingKey).update(`v0:${timestamp}:${body}`).digest('hex')
    let shownMs = 0
    const start = performance.now()
    const shown = new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new NotAnsweredError()), answeredWithinMs)
      waiting.set(id, (text) => {
        clearTimeout(timer)
        shownMs = performance.now() - start
        resolve(text)
      })
    })
    // It is waited for later, and not at all where there is no acknowledgement.
    shown.catch(() => {})
    try {
      const acknowledged = await acknowledgement(appUrl, body, timestamp, signature)
      const ackMs = performance.now() - start
      // A message in a click's acknowledgement is dropped, as Slack drops it.
      if (interaction.kind === 'command' && acknowledged !== '') waiting.get(id)?.(acknowledged)
      const text = await shown
      return { kind: interaction.kind, ackMs, shownMs, text }
    } finally {
      waiting.delete(id)
    }
  }

  async function acknowledgement(appUrl: string, body: string, timestamp: string, signature: string) {
    const sent = await agent.request({
      origin: appUrl,
      path: '/slack/events',
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
      },
      body,
    })
    const text = await sent.body.text()
    if (sent.statusCode !== 200) throw new NotAcknowledgedError(`acknowledged with ${sent.statusCode}`)
    return text
  }

  return {
    apiUrl: `${origin}/api/`,
    signingSecret,
    ask,
    async send(appUrl, interaction) {
      const { text, ...sample } = await ask(appUrl, interaction)
      if (!isPage(text)) throw new Error(`not a page of calls: ${text.slice(0, 300)}`)
      return sample
    },
    async close() {
      await agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}
