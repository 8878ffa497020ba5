import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { z } from 'zod'
import type { EpochMs, Milliseconds } from '../../src/util/units.ts'
import { close, listen } from '../listen.ts'
import { connectorId, enterprise, teamId } from './workspaces.ts'

export interface Interaction {
  readonly kind: 'command' | 'click'
  readonly team: number
  readonly page: number
  /** `/calls` by default. */
  readonly command?: '/agents' | '/billing'
  /** Arguments of the command; by default the page of `/calls`. */
  readonly text?: string
}

/** Times from the request to the acknowledgement and to the message. */
export interface Sample {
  readonly kind: Interaction['kind']
  readonly ackMs: Milliseconds
  readonly messageMs: Milliseconds
}

/** Slack would show that the app did not respond. */
export class NotAcknowledgedError extends Error {}
/** The interaction was acknowledged, but no message arrived. */
export class NoMessageError extends Error {}

/** A message that the app posted to a channel or to a person. */
interface PostedMessage {
  readonly channel: string
  /** The posted message and its updates, newest last. */
  readonly versions: { readonly at: EpochMs; readonly text: string; readonly blocks: string }[]
}

const MESSAGE_TIMEOUT_MS: Milliseconds = 12_000
/** For reading a whole range of calls, which takes an interaction at most 25 s. */
const READING_TIMEOUT_MS: Milliseconds = 40_000

const sharedFiles = z.tuple([z.object({ id: z.string() })])

/** Recognizes the message that a slow request shows first. */
const isProgress = (text: string) => /"Reading (about|all calls)/.test(text)

/** The first cell of a row is a time, which is never rich text. */
const ROW_START = '[{"type":"raw_text"'

/** Recognizes a table of 20 calls with its head. */
const isPage = (text: string) => text.includes('"table"') && text.split(ROW_START).length - 1 === 20 + 1

/** A cheap stand-in for Slack: sends signed requests, serves `response_url`s and a few Web API methods. */
export class SlackStub {
  readonly signingSecret = randomBytes(16).toString('hex')
  readonly #signingKey = createSecretKey(Buffer.from(this.signingSecret))
  readonly #agent = new Agent({ keepAliveTimeout: 60_000 })
  readonly #server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    this.#respond(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })
  /** Callbacks that wait for a message, by the last part of its response_url. */
  readonly #waiting = new Map<string, (text: string) => void>()
  readonly messages = new Map<string, PostedMessage>()
  /** Shared files. */
  readonly files: { readonly channel: string; readonly content: string }[] = []
  readonly #uploads = new Map<string, string>()
  /** Duration of posting a message. */
  readonly #postMs: Milliseconds
  answered = 0
  #origin = ''
  #count = 0

  constructor({ postMs = 0 }: { readonly postMs?: Milliseconds } = {}) {
    this.#postMs = postMs
  }

  async start(): Promise<this> {
    this.#origin = `http://127.0.0.1:${await listen(this.#server)}`
    return this
  }

  get apiUrl(): string {
    return `${this.#origin}/api/`
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
    await close(this.#server)
  }

  /** @throws {Error} if the acknowledgement isn't 200, or the message isn't a table of 20 calls */
  async measure(appUrl: string, interaction: Interaction): Promise<Sample> {
    const { text, ...sample } = await this.send(appUrl, interaction)
    if (!isPage(text)) throw new Error(`not a page of calls: ${text.slice(0, 300)}`)
    return sample
  }

  /**
   * Sends an interaction and waits for its message, at most 12 s, or 40 s with arguments.
   * @throws {NotAcknowledgedError}, {NoMessageError}
   */
  async send(appUrl: string, interaction: Interaction): Promise<Sample & { readonly text: string }> {
    this.#count += 1
    const name = String(this.#count)
    const body = requestBody(interaction, `${this.#origin}/r/${name}`, this.#count)
    const { promise: message, resolve, reject } = Promise.withResolvers<string>()
    // Awaited only after the acknowledgement.
    message.catch(() => {})
    const timeoutMs = interaction.text === undefined ? MESSAGE_TIMEOUT_MS : READING_TIMEOUT_MS
    const timer = setTimeout(() => reject(new NoMessageError()), timeoutMs)
    let messageMs = 0
    const start = performance.now()
    const take = (text: string) => {
      if (isProgress(text)) return
      messageMs = performance.now() - start
      resolve(text)
    }
    this.#waiting.set(name, take)
    try {
      const acknowledgement = await this.#post(appUrl, body)
      const ackMs = performance.now() - start
      // A message in a click's acknowledgement is dropped, as Slack drops it.
      if (interaction.kind === 'command' && acknowledgement !== '') take(acknowledgement)
      const text = await message
      this.answered += 1
      return { kind: interaction.kind, ackMs, messageMs, text }
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(name)
    }
  }

  /** Exports all incoming calls of a workspace. @throws {Error} if no file was shared */
  async exportCalls(appUrl: string, team: number): Promise<void> {
    const before = this.files.length
    await this.send(appUrl, { kind: 'command', team, page: 1, text: 'export incoming' })
    const last = () => [...this.messages.values()].at(-1)?.versions.at(-1)
    while (last()?.blocks.includes('calls.export-cancel') !== false) await sleep(10)
    if (this.files.length === before) throw new Error(`no file was shared: ${last()?.text}`)
    this.files.length = before
  }

  async #post(appUrl: string, body: string): Promise<string> {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', this.#signingKey).update(`v0:${timestamp}:${body}`).digest('hex')
    const response = await this.#agent.request({
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
    const text = await response.body.text()
    if (response.statusCode !== 200)
      throw new NotAcknowledgedError(`acknowledged with ${response.statusCode}`)
    return text
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const [, area = '', name = ''] = (request.url ?? '').split('/')
    if (area === 'r') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('ok')
      this.#waiting.get(name)?.(text)
      return
    }
    if (area === 'upload') {
      this.#uploads.set(name, text)
      response.writeHead(200).end('OK')
      return
    }
    const body = await this.#webApi(name, new URLSearchParams(text))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  async #webApi(method: string, form: URLSearchParams): Promise<object> {
    const get = (name: string) => form.get(name) ?? ''
    switch (method) {
      case 'auth.test': {
        const bot = { user_id: 'UBOT', bot_id: 'B1' }
        return {
          ok: true,
          team_id: teamId(0),
          enterprise_id: enterprise,
          is_enterprise_install: true,
          ...bot,
        }
      }
      case 'users.info':
        return {
          ok: true,
          user: { id: get('user'), team_id: `T${get('user').slice(1)}`, tz: 'Europe/Berlin' },
        }
      case 'conversations.info':
        return { ok: true, channel: { id: get('channel'), name: 'calls', is_channel: true, is_member: true } }
      case 'chat.postMessage':
      case 'chat.update': {
        this.#count += 1
        const channel = get('channel').replace(/^U/, 'D')
        const ts = get('ts') || `${this.#count}.000000`
        const message = this.messages.get(`${channel} ${ts}`) ?? { channel, versions: [] }
        // The message is visible before the sender gets the response.
        message.versions.push({ at: Date.now(), text: get('text'), blocks: get('blocks') })
        this.messages.set(`${channel} ${ts}`, message)
        await sleep(this.#postMs)
        return { ok: true, channel, ts }
      }
      case 'files.getUploadURLExternal': {
        this.#count += 1
        return { ok: true, upload_url: `${this.#origin}/upload/F${this.#count}`, file_id: `F${this.#count}` }
      }
      case 'files.completeUploadExternal': {
        const [{ id }] = sharedFiles.parse(JSON.parse(get('files')))
        this.files.push({ channel: get('channel_id'), content: this.#uploads.get(id) ?? '' })
        this.#uploads.delete(id)
        return { ok: true, files: [{ id }] }
      }
      default:
        return { ok: false, error: 'unknown_method' }
    }
  }
}

const FIRST_TS = Math.floor(Date.now() / 1000)

/**
 * Returns the body of Slack's request.
 *
 * @param count makes timestamps of clicks unique
 */
function requestBody(interaction: Interaction, responseUrl: string, count: number): string {
  const { kind, page, command, text = command === undefined ? `page:${page}` : '' } = interaction
  const team = teamId(interaction.team)
  const user = connectorId(interaction.team)
  if (kind === 'command') {
    return new URLSearchParams({
      command: command ?? '/calls',
      text,
      team_id: team,
      enterprise_id: enterprise,
      channel_id: 'C1',
      user_id: user,
      response_url: responseUrl,
      trigger_id: 't',
    }).toString()
  }
  const ts = `${FIRST_TS + Math.floor(count / 1_000_000)}.${String(count % 1_000_000).padStart(6, '0')}`
  const payload = {
    type: 'block_actions',
    team: { id: team },
    enterprise: { id: enterprise },
    user: { id: user, team_id: team },
    channel: { id: 'C1' },
    container: { type: 'message', message_ts: ts, channel_id: 'C1', is_ephemeral: true },
    trigger_id: 't',
    response_url: responseUrl,
    actions: [
      {
        type: 'button',
        action_id: 'calls.page.next',
        block_id: 'b',
        action_ts: ts,
        value: JSON.stringify({ direction: 'incoming', page }),
      },
    ],
  }
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
}
