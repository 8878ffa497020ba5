import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../../src/config/config.ts'
import { createLog } from '../../src/log.ts'
import { readManifest } from '../../src/manifest.ts'
import { startServer } from '../../src/server.ts'
import { close, freePort, listenNear } from '../listen.ts'
import { createSandbox } from '../service/app.ts'
import { serveSandbox } from '../service/serve.ts'
import { type Slack, startSlack } from '../slack/slack.ts'
import { ActionHandler } from './action-handler.ts'
import { encryptionKeyIn, prepareStore } from './demo-store.ts'
import { buildPage, type PageFiles } from './page-build.ts'
import { pageServer } from './page-server.ts'
import { pageState } from './page-state.ts'
import { TrafficLog } from './traffic.ts'
import { UserMessages } from './user-messages.ts'
import { createWorkspaces, type DemoParts, enterprise, personIn } from './workspaces.ts'

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

export type Demo = Awaited<ReturnType<typeof startDemo>>

/** The sandbox, the real app and the page, on loopback alone. */
export async function startDemo(options: DemoOptions) {
  const { folder, reset = false, port = 4000, isEnterprise = false, calls, ackTimeoutMs = 3000 } = options
  if (reset) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })

  const building = buildPage()
  const sandbox = createSandbox({ calls })
  const served = await serveSandbox(sandbox)
  const manifest = readManifest()
  const team = isEnterprise ? enterprise : {}
  const slack = await startSlack({ scopes: manifest.scopes, team, ackTimeoutMs })
  const workspaces = createWorkspaces(slack, isEnterprise)
  const config = configOf(slack, { folder, port: await freePort(), telephonyBaseUrl: served.baseUrl })
  await prepareStore(config, workspaces, manifest.scopes)
  const destination = pino.destination({ dest: join(folder, 'callboard.log'), sync: true })
  const app = await startServer(config, createLog(config.logLevel, destination))

  const appUrl = `http://127.0.0.1:${config.port}`
  const page = servePage({ slack, sandbox, appUrl, manifest, workspaces }, await building)
  const url = `http://127.0.0.1:${await listenNear(page, port)}`
  slack.offerConsent({
    home: () => url,
    choices: () => {
      const without = workspaces.filter((workspace) => !workspace.team.isInstalled)
      return (without.length > 0 ? without : workspaces).map(({ team, name, people: [{ user }] }) => ({
        team,
        user,
        workspace: name,
        person: user.real_name,
      }))
    },
  })
  return {
    /** The page. */
    url,
    /** The app. */
    appUrl,
    slack,
    sandbox,
    async stop() {
      await close(page)
      await app.stop()
      await slack.close()
      await served.close()
    },
  }
}

function configOf(
  slack: Slack,
  { folder, port, telephonyBaseUrl }: { folder: string; port: number; telephonyBaseUrl: string },
): Config {
  const { clientId, clientSecret } = slack.oauth
  const stateSecret = randomBytes(24).toString('base64url')
  const publicUrl = `http://127.0.0.1:${port}`
  return {
    slack: {
      signingSecret: slack.signingSecret,
      apiUrl: slack.apiUrl,
      oauth: { clientId, clientSecret, stateSecret, publicUrl },
    },
    telephonyBaseUrl,
    recordingsBaseUrl: undefined,
    storeUrl: `sqlite:${join(folder, 'callboard.sqlite')}`,
    encryptionKeys: [encryptionKeyIn(folder)],
    port,
    host: '127.0.0.1',
    logLevel: 'info',
    fetchAhead: true,
    invoiceOperation: true,
    metricsToken: undefined,
    supportUrl: undefined,
  }
}

function servePage(demo: DemoParts, files: PageFiles): Server {
  const { slack, sandbox, workspaces } = demo
  const secrets = Object.values(sandbox.accounts).flatMap(({ key, secret, agents }) => [
    key,
    secret,
    ...agents.flatMap(({ sipPassword, webphone }) => [sipPassword, webphone]),
  ])
  const userMessages = new UserMessages(slack)
  const traffic = new TrafficLog(slack, sandbox.requests, [slack.oauth.clientSecret, ...secrets])
  return pageServer({
    files,
    actions: new ActionHandler(demo, userMessages, traffic),
    traffic,
    changes: slack.changes,
    uploaded: (id) => slack.files.find((file) => file.id === id),
    stateFor(id) {
      const [workspace] = workspaces
      const person = personIn(workspaces, id) ?? { workspace, user: workspace.people[0].user }
      return pageState(person, demo, userMessages)
    },
  })
}
