import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../../src/config/config.ts'
import { createLog } from '../../src/log.ts'
import { type Server, startServer } from '../../src/server.ts'
import { SqliteDriver } from '../../src/store/engine/sqlite.ts'
import { Store } from '../../src/store/store.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { installationKey } from '../../src/store/workspaces.ts'
import { loadPhoneFormat } from '../../src/telephony/phone-numbers.ts'
import type { EpochMs, Milliseconds } from '../../src/util/units.ts'
import { freePort } from '../listen.ts'
import { readManifest } from '../manifest.ts'
import { createSandbox, type Sandbox } from '../service/app.ts'
import { type ServedSandbox, serveSandbox } from '../service/serve.ts'
import { type Slack, startSlack } from '../slack/slack.ts'
import { ActionHandler } from './action-handler.ts'
import type { Action } from './api-types.ts'
import { Controls, quietMs } from './controls.ts'
import { DemoClock, nextOpening } from './demo-clock.ts'
import { OPENING_MS, playOpening } from './opening.ts'
import { pageState } from './page-state.ts'
import type { DemoParts } from './parts.ts'
import { TourProgress } from './tour.ts'
import { TrafficLog } from './traffic.ts'
import { UserMessages } from './user-messages.ts'
import {
  createWorkspaces,
  type DemoWorkspace,
  type DemoWorkspaces,
  firstTeam,
  personIn,
} from './workspaces.ts'

interface SystemOptions {
  /** Folder of the app's store and log. */
  readonly folder: string
  /** Approximate number of calls in the lively account. */
  readonly calls: number | undefined
  /** Slack's timeout for an acknowledgement. */
  readonly ackTimeoutMs: number
  readonly machineNow: () => EpochMs
  /** Returns the page's address. */
  readonly pageUrl: () => string
}

export type System = Awaited<ReturnType<typeof startSystem>>

/** Every day has missed calls, so that lists aren't empty. */
const missedADay = 3
/** Due jobs start at once. */
const pollEveryMs: Milliseconds = 200
/** Alerts come within seconds. */
const alertEveryMs: Milliseconds = 3000

/** Starts the sandbox, the simulated Slack and the real app on loopback. */
export async function startSystem(options: SystemOptions) {
  const { folder, calls, ackTimeoutMs, machineNow, pageUrl } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const clock = new DemoClock(machineNow, nextOpening(machineNow()) - OPENING_MS)
  const sandbox = createSandbox({ calls, missedADay, now: () => new Date(clock.now()) })
  sandbox.accounts.lively.missNothingFor(quietMs)
  const served = await serveSandbox(sandbox)
  const manifest = readManifest()
  const slack = await startSlack({ team: firstTeam, scopes: manifest.scopes, ackTimeoutMs, now: clock.now })
  const workspaces = createWorkspaces(slack)
  const config = createConfig(slack, served, { folder, port: await freePort() })
  const appUrl = `http://127.0.0.1:${config.port}`
  await prepareStore(config, workspaces[0], { scopes: manifest.scopes, installedAt: clock.now() })
  const destination = pino.destination({ dest: join(folder, 'callboard.log'), sync: true })
  const runtime = createLog(config.logLevel, destination)
  const app = await startServer(config, {
    ...runtime,
    now: clock.now,
    jobTimes: { pollEveryMs },
    scheduleTickMs: pollEveryMs,
  })
  slack.appUrl = appUrl
  offerConsent(slack, workspaces, pageUrl)

  const [called] = sandbox.accounts.lively.calls('outgoing')
  const demo: DemoParts = {
    slack,
    sandbox,
    clock,
    manifest,
    subcommands: listSubcommands(app.commands),
    workspaces,
    installUrl: `${appUrl}/`,
    customer: (await loadPhoneFormat())(called?.number ?? ''),
    userMessages: new UserMessages(slack),
    traffic: new TrafficLog(slack, sandbox.requests, listSecrets(slack, sandbox)),
    progress: new TourProgress(),
    controls: new Controls(app.workspaces, sandbox, clock),
  }
  slack.changes.on('change', () => demo.progress.look(slack, workspaces))
  const actions = new ActionHandler(demo)
  await playOpening(demo).catch((error: unknown) =>
    runtime.log.warn({ err: error }, 'opening of the demo failed'),
  )
  return {
    ...demo,
    act: (action: Action) => actions.handle(action),
    stateFor(id: string) {
      const [workspace] = workspaces
      return pageState(personIn(workspaces, id) ?? { workspace, user: workspace.people[0].user }, demo)
    },
    async stop() {
      // First, so that the app doesn't wait for responses.
      await served.close()
      await app.stop()
      await slack.close()
      destination.end()
    },
  }
}

function listSubcommands(routes: Server['commands']): readonly string[] {
  const names: string[] = []
  for (const { command, word } of routes) if (word !== undefined) names.push(`/${command} ${word}`)
  return names.sort()
}

function createConfig(
  { oauth, signingSecret, apiUrl }: Slack,
  { baseUrl, recordingsUrl }: ServedSandbox,
  { folder, port }: { readonly folder: string; readonly port: number },
): Config {
  const { clientId, clientSecret } = oauth
  const supportUrl = 'mailto:support@example.com'
  const stateSecret = randomBytes(24).toString('base64url')
  const publicUrl = `http://127.0.0.1:${port}`
  return {
    slack: { signingSecret, apiUrl, oauth: { clientId, clientSecret, stateSecret, publicUrl, supportUrl } },
    telephonyBaseUrl: baseUrl,
    recordingsBaseUrl: recordingsUrl,
    storeUrl: `sqlite:${storePathIn(folder)}`,
    encryptionKeys: [{ id: 'demo', key: createSecretKey(randomBytes(32)) }],
    port,
    host: '127.0.0.1',
    logLevel: 'info',
    fetchAhead: true,
    mcp: true,
    drainMs: 0,
    alertEveryMs,
    invoiceOperation: false,
    metricsToken: undefined,
    supportUrl,
  }
}

/** Offers the workspaces without the app on Slack's consent page, or all of them if each has it. */
function offerConsent(slack: Slack, workspaces: DemoWorkspaces, pageUrl: () => string): void {
  slack.offerConsent({
    home: (teamId) => `${pageUrl()}${teamId === undefined ? '' : `/?team=${encodeURIComponent(teamId)}`}`,
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
}

const listSecrets = (slack: Slack, { accounts }: Sandbox) => [
  slack.oauth.clientSecret,
  ...Object.values(accounts).flatMap(({ key, secret, agents }) => [
    key,
    secret,
    ...agents.flatMap(({ sipPassword, webphone }) => [sipPassword, webphone]),
  ]),
]

const storePathIn = (folder: string): string => join(folder, 'callboard.sqlite')

/** @throws Error if another process runs a demo in the folder */
export async function assertUnused(folder: string): Promise<void> {
  const driver = new SqliteDriver(storePathIn(folder))
  try {
    driver.lock()
  } catch (cause) {
    throw new Error('The demo is already running. Use that one, or stop it with Ctrl-C first.', { cause })
  } finally {
    await driver.close()
  }
}

/** Installs the app in a workspace and sets the time zones of its channels, before the app opens the store. */
async function prepareStore(
  { storeUrl: url, encryptionKeys }: Pick<Config, 'storeUrl' | 'encryptionKeys'>,
  { team, people, channels }: DemoWorkspace,
  { scopes, installedAt }: { readonly scopes: readonly string[]; readonly installedAt: EpochMs },
): Promise<void> {
  const store = new Store({ url, encryptionKeys, log: { warn() {} } })
  const { enterpriseId, teamId, botToken, botUserId } = team
  const installation = { scopes: [...scopes], installer: people[0].user.id, installedAt }
  await store.installations.set(
    { enterpriseId, teamId, botToken, botUserId, ...installation },
    installationKey({ teamId, enterpriseId }),
  )
  team.isInstalled = true
  const tenant = tenantKey({ teamId })
  for (const { channel, zone } of channels)
    if (zone !== undefined) await store.channelSettings.set({ zone }, tenant, channel.id)
  await store.close()
}
