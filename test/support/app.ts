import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect } from 'vitest'
import { createSandbox, type Sandbox } from '../../dev/service/app.ts'
import { type ServedSandbox, serveSandbox } from '../../dev/service/serve.ts'
import {
  type Interaction,
  type Message,
  type Slack,
  startSlack,
  type User,
  type View,
} from '../../dev/slack/slack.ts'
import type { Config } from '../../src/config/config.ts'
import { createLog } from '../../src/log.ts'
import { type Server, startServer } from '../../src/server.ts'
import { leakedSipSecrets } from './sip-secrets.ts'

/** The whole house on loopback: the real app over a real store file, the real sandbox, and a strict stand-in for Slack. */
export interface House {
  readonly slack: Slack
  readonly sandbox: Sandbox
  readonly config: Config
  readonly logs: string[]
  url: string
  /** By how many ms the clock of the app and of the service is ahead. */
  readonly clock: { ahead: number }
  /** Stops the app and starts it again, with what is done in between. */
  restart(between?: () => void): Promise<void>
  say(text: string, user?: User, command?: string): Promise<Interaction>
  /** What `/calls …` shows. */
  ask(text: string, user?: User): Promise<Message>
  click(message: Message, action: string, user?: User): Promise<Message>
  connect(account?: { key: string; secret: string }): Promise<void>
}

interface Parts {
  readonly house: House
  readonly close: () => Promise<void>
}

export type Overrides = Partial<Config> | ((slack: Slack) => Partial<Config> | Promise<Partial<Config>>)

async function build(overrides: Overrides): Promise<Parts> {
  const folder = await mkdtemp(join(tmpdir(), 'callboard-'))
  const clock = { ahead: 0 }
  const now = () => Date.now() + clock.ahead
  const sandbox = createSandbox({ calls: 400, now: () => new Date(now()) })
  const served: ServedSandbox = await serveSandbox(sandbox)
  const slack = await startSlack()
  const logs: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logs.push(String(chunk))
      done()
    },
  })
  const config: Config = {
    slack: { signingSecret: slack.signingSecret, botToken: slack.botToken, apiUrl: slack.apiUrl },
    telephonyBaseUrl: served.baseUrl,
    recordingsBaseUrl: undefined,
    storeUrl: `sqlite:${join(folder, 'store.sqlite')}`,
    encryptionKeys: [{ id: 'k1', key: createSecretKey(randomBytes(32)) }],
    port: 0,
    host: '127.0.0.1',
    logLevel: 'debug',
    fetchAhead: false,
    invoiceOperation: true,
    ...(typeof overrides === 'function' ? await overrides(slack) : overrides),
  }
  // The whole house in one process is always busy.
  const load = { isBusy: () => false, stop: () => {} }
  const start = () =>
    startServer(config, {
      ...createLog(config.logLevel, destination),
      eventLoopLoad: load,
      now,
      pollEveryMs: 100,
      service: { timeoutMs: 3500, halfOpenAfterMs: 300 },
    })
  let server: Server = await start()

  const house: House = {
    slack,
    sandbox,
    config,
    logs,
    url: `http://127.0.0.1:${server.port}`,
    clock,
    async restart(between) {
      await server.stop()
      between?.()
      server = await start()
      house.url = `http://127.0.0.1:${server.port}`
    },
    say: (text, user = slack.people.member, command = '/calls') =>
      slack.command(house.url, { command, text, user }),
    async ask(text, user) {
      return (await house.say(text, user)).waitForMessage()
    },
    async click(message, action_id, user = slack.people.member) {
      return (await slack.click(house.url, { message, action_id, user })).waitForMessage()
    },
    async connect({ key, secret } = sandbox.accounts.lively) {
      const view = await (await house.say('connect', slack.people.admin)).waitForView()
      await slack.submit(house.url, { view, values: { key, secret }, user: slack.people.admin })
      await slack.waitFor(() =>
        slack.openViews().find((one: View) => JSON.stringify(one).includes('Connected')),
      )
    },
  }
  return {
    house,
    async close() {
      await server.stop()
      await slack.close()
      await served.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** A house for each test; no message in it may break a rule of Slack's, and no SIP secret leave its place. */
export function useHouse(overrides: Overrides = {}): () => House {
  let parts: Parts | undefined
  beforeEach(async () => {
    parts = await build(overrides)
  })
  afterEach(async () => {
    const current = parts
    parts = undefined
    const leaked = current && leakedSipSecrets(current.house.slack, current.house.sandbox, current.house.logs)
    await current?.close()
    expect(leaked ?? []).toEqual([])
    expect(current?.house.slack.violations).toEqual([])
    expect(current?.house.slack.dropped).toEqual([])
  })
  return () => {
    if (!parts) throw new Error('no test is running')
    return parts.house
  }
}

/** The table's rows without its head, as text. */
export function rowsOf(message: Message): string[][] {
  const table = message.blocks.find(({ type }) => type === 'table') as
    | { rows?: { text?: string }[][] }
    | undefined
  return (table?.rows ?? []).slice(1).map((row) => row.map((cell) => cell.text ?? JSON.stringify(cell)))
}

export interface ShownButton {
  action_id: string
  value: string
}

export function buttonsOf(message: Message): ShownButton[] {
  return message.blocks
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements }) => (elements ?? []) as unknown as ShownButton[])
}
