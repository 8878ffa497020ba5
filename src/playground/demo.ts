import { createSecretKey, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config, EncryptionKey } from '../config.ts'
import { createLog } from '../log.ts'
import { readManifest } from '../manifest.ts'
import { createSandbox, type Sandbox } from '../sandbox/app.ts'
import { serveSandbox } from '../sandbox/serve.ts'
import { startServer } from '../server.ts'
import { openStore } from '../store/open.ts'
import { tenantKey } from '../store/tenant.ts'
import { createActs } from './acts.ts'
import { createConversation } from './conversation.ts'
import { listenNear } from './listen.ts'
import { buildPage } from './page-build.ts'
import { createPageApp, servePage } from './page-server.ts'
import { type Slack, startSlack } from './slack/slack.ts'
import { snapshot } from './snapshot.ts'
import { createTraffic } from './traffic.ts'
import { createWorld, type World } from './world.ts'

export interface DemoOptions {
  /** Where the app's store, its key and its log are kept. */
  readonly folder: string
  /** Deletes what an earlier demo left. */
  readonly reset?: boolean
  /** The page's; the next free one where it is taken, any free one for 0. */
  readonly port?: number
  readonly isEnterprise?: boolean
  /** About how many calls the lively account has. */
  readonly calls?: number
  /** Slack waits 3 s for an acknowledgement. */
  readonly ackTimeoutMs?: number
}

export interface Demo {
  /** The page. */
  readonly url: string
  /** The app. */
  readonly appUrl: string
  readonly slack: Slack
  readonly sandbox: Sandbox
  stop(): Promise<void>
}

/** Made once and kept: a second start reads what the first one encrypted. */
function keyIn(folder: string): EncryptionKey {
  const path = join(folder, 'encryption-key')
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600 })
  return { id: 'demo', key: createSecretKey(Buffer.from(readFileSync(path, 'utf8'), 'base64')) }
}

/** Gives each channel the zone of its team, unless somebody has set one. */
async function setZones(config: Config, world: World, slack: Slack): Promise<void> {
  const store = openStore({
    url: config.storeUrl,
    encryptionKeys: config.encryptionKeys,
    log: { warn() {}, error() {} },
  })
  const { enterpriseId, teamId } = slack.workspace
  const tenant = tenantKey({ enterpriseId, teamId })
  for (const { channel, zone } of world.places) {
    const isSet = (await store.channelSettings.get(tenant, channel.id)) !== undefined
    if (zone !== undefined && !isSet) await store.channelSettings.set({ zone }, tenant, channel.id)
  }
  await store.close()
}

/** The sandbox, the real app and the page, on loopback alone. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { folder, reset = false, port = 4000, isEnterprise = false, calls, ackTimeoutMs = 3000 } = options
  if (reset) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })

  const building = buildPage()
  const sandbox = createSandbox({ calls })
  const served = await serveSandbox(sandbox)
  const manifest = readManifest()
  const team = isEnterprise ? { enterpriseId: 'E0DEMO', enterpriseName: 'Larkfield Group' } : {}
  const slack = await startSlack({ scopes: manifest.scopes, team, ackTimeoutMs })
  const world = createWorld(slack, { isEnterprise })
  const config: Config = {
    slack: { signingSecret: slack.signingSecret, botToken: slack.botToken, apiUrl: slack.apiUrl },
    telephonyBaseUrl: served.baseUrl,
    recordingsBaseUrl: undefined,
    storeUrl: `sqlite:${join(folder, 'callboard.sqlite')}`,
    encryptionKeys: [keyIn(folder)],
    port: 0,
    host: '127.0.0.1',
    logLevel: 'info',
    fetchAhead: true,
    invoiceOperation: true,
  }
  await setZones(config, world, slack)
  const log = createLog(
    config.logLevel,
    pino.destination({ dest: join(folder, 'callboard.log'), sync: true }),
  )
  const server = await startServer(config, log)

  const hearing = new Set<() => void>()
  const changed = () => {
    for (const hear of hearing) hear()
  }
  slack.listen(changed)
  const conversation = createConversation(slack, changed)
  const secrets = Object.values(sandbox.accounts).flatMap(({ key, secret, agents }) => [
    key,
    secret,
    ...agents.flatMap(({ sipPassword, webphone }) => [sipPassword, webphone]),
  ])
  const traffic = createTraffic({ slack, requests: sandbox.requests, secrets })
  const appUrl = `http://127.0.0.1:${server.port}`
  const act = createActs({ slack, appUrl, world, manifest, conversation, traffic, changed })
  const accounts = Object.values(sandbox.accounts).map(({ name, key, secret }) => ({ name, key, secret }))
  const [first] = world.personas
  const page = servePage(
    createPageApp({
      files: await building,
      act,
      traffic: traffic.latest,
      listen(hear) {
        hearing.add(hear)
        return () => hearing.delete(hear)
      },
      state(id) {
        const persona = world.personas.find(({ user }) => user.id === id) ?? first
        if (!persona) throw new Error('nobody is here')
        return snapshot({ slack, world, manifest, conversation, accounts }, persona.user)
      },
    }),
  )
  const url = `http://127.0.0.1:${await listenNear(page, port)}`

  return {
    url,
    appUrl,
    slack,
    sandbox,
    async stop() {
      page.close()
      page.closeAllConnections()
      await server.stop()
      await slack.close()
      await served.close()
    },
  }
}
