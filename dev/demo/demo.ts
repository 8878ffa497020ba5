import { createSecretKey, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config, EncryptionKey } from '../../src/config/config.ts'
import { createLog } from '../../src/log.ts'
import { readManifest } from '../../src/manifest.ts'
import { startServer } from '../../src/server.ts'
import { installationKey } from '../../src/store/installations.ts'
import { openStore } from '../../src/store/open.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { freePort, listenNear } from '../listen.ts'
import { createSandbox, type Sandbox } from '../service/app.ts'
import { serveSandbox } from '../service/serve.ts'
import { type Slack, startSlack } from '../slack/slack.ts'
import { createActs } from './actions.ts'
import { createConversation } from './conversation.ts'
import { buildPage } from './page-build.ts'
import { createPageApp, servePage } from './page-server.ts'
import { snapshot } from './snapshot.ts'
import { createTraffic } from './traffic.ts'
import { createWorlds, enterprise, type World } from './world.ts'

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

/**
 * What was so before the demo began: the app is installed in the first workspace, and in the second where it was at the end
 * of an earlier demo; each channel has the zone of its team, unless somebody has set one.
 */
async function prepareStore(
  config: Config,
  worlds: readonly World[],
  scopes: readonly string[],
): Promise<void> {
  const store = openStore({
    url: config.storeUrl,
    encryptionKeys: config.encryptionKeys,
    log: { warn() {}, error() {} },
  })
  for (const [n, { team, personas, places }] of worlds.entries()) {
    const { enterpriseId, teamId, botToken, botUserId } = team
    const key = installationKey({ teamId, enterpriseId })
    const before = await store.installations.get(key)
    if (n > 0 && !before) continue
    const installer = personas[0].user.id
    const made = { scopes: [...scopes], installer, installedAt: before?.installedAt ?? Date.now() }
    await store.installations.set({ enterpriseId, teamId, botToken, botUserId, ...made }, key)
    team.isInstalled = true
    const tenant = tenantKey({ enterpriseId, teamId })
    for (const { channel, zone } of places) {
      const isSet = (await store.channelSettings.get(tenant, channel.id)) !== undefined
      if (zone !== undefined && !isSet) await store.channelSettings.set({ zone }, tenant, channel.id)
    }
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
  const team = isEnterprise ? enterprise : {}
  const slack = await startSlack({ scopes: manifest.scopes, team, ackTimeoutMs })
  const worlds = createWorlds(slack, { isEnterprise })
  const appPort = await freePort()
  const appUrl = `http://127.0.0.1:${appPort}`
  const config: Config = {
    slack: {
      signingSecret: slack.signingSecret,
      apiUrl: slack.apiUrl,
      oauth: {
        clientId: slack.oauth.clientId,
        clientSecret: slack.oauth.clientSecret,
        stateSecret: randomBytes(24).toString('base64url'),
        publicUrl: appUrl,
      },
    },
    telephonyBaseUrl: served.baseUrl,
    recordingsBaseUrl: undefined,
    storeUrl: `sqlite:${join(folder, 'callboard.sqlite')}`,
    encryptionKeys: [keyIn(folder)],
    port: appPort,
    host: '127.0.0.1',
    logLevel: 'info',
    fetchAhead: true,
    invoiceOperation: true,
  }
  await prepareStore(config, worlds, manifest.scopes)
  const log = createLog(
    config.logLevel,
    pino.destination({ dest: join(folder, 'callboard.log'), sync: true }),
  )
  const server = await startServer(config, log)

  const hearing = new Set<() => void>()
  const changed = () => {
    for (const hear of hearing) hear()
  }
  slack.onChange(changed)
  const conversation = createConversation(slack, changed)
  const secrets = [
    slack.oauth.clientSecret,
    ...Object.values(sandbox.accounts).flatMap(({ key, secret, agents }) => [
      key,
      secret,
      ...agents.flatMap(({ sipPassword, webphone }) => [sipPassword, webphone]),
    ]),
  ]
  const traffic = createTraffic({ slack, requests: sandbox.requests, secrets })
  const act = createActs({ slack, appUrl, worlds, manifest, conversation, traffic, changed })
  const accounts = Object.values(sandbox.accounts).map(({ name, key, secret }) => ({ name, key, secret }))
  const everyone = worlds.flatMap((world) => world.personas.map(({ user }) => ({ user, world })))
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
        const found = everyone.find(({ user }) => user.id === id) ?? everyone[0]
        if (!found) throw new Error('nobody is here')
        const installUrl = `${appUrl}/slack/install`
        return snapshot(
          { slack, worlds, manifest, conversation, accounts, installUrl },
          found.world,
          found.user,
        )
      },
    }),
  )
  const url = `http://127.0.0.1:${await listenNear(page, port)}`
  slack.offerConsent({
    home: () => url,
    choices: () => {
      const open = worlds.filter(({ team }) => !team.isInstalled)
      return (open.length > 0 ? open : worlds).map(({ team, workspace, personas: [{ user }] }) => ({
        team,
        user,
        workspace,
        person: user.real_name,
      }))
    },
  })

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
