import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../../src/config/config.ts'
import { createLog } from '../../src/log.ts'
import { startServer } from '../../src/server.ts'
import { loadNumberWriter } from '../../src/telephony/lines.ts'
import type { Milliseconds } from '../../src/util/units.ts'
import { freePort } from '../listen.ts'
import { readManifest } from '../manifest.ts'
import { createSandbox, type Sandbox } from '../service/app.ts'
import { serveSandbox } from '../service/serve.ts'
import { type Slack, startSlack } from '../slack/slack.ts'
import { ActionHandler } from './action-handler.ts'
import type { Action } from './api-types.ts'
import { Controls, quietMs } from './controls.ts'
import { DemoClock } from './demo-clock.ts'
import { prepareStore, storePathIn } from './demo-store.ts'
import { OPENING_MS, playOpening } from './opening.ts'
import { pageState } from './page-state.ts'
import { TourProgress } from './tour.ts'
import { TrafficLog } from './traffic.ts'
import { UserMessages } from './user-messages.ts'
import { createWorkspaces, type DemoWorkspaces, personIn } from './workspaces.ts'

interface SystemOptions {
  /** Folder of the app's store and log. */
  readonly folder: string
  /** Approximate number of calls in the lively account. */
  readonly calls: number | undefined
  /** Slack's timeout for an acknowledgement. */
  readonly ackTimeoutMs: number
  /** Initial offset of the demo's clock from the machine's. */
  readonly aheadMs: Milliseconds
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

/** Starts the sandbox, the local Slack and the real app on loopback. */
export async function startSystem(options: SystemOptions) {
  const { folder, calls, ackTimeoutMs, aheadMs, pageUrl } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const clock = new DemoClock(aheadMs - OPENING_MS)
  const sandbox = createSandbox({ calls, missedADay, now: () => new Date(clock.now()) })
  sandbox.accounts.lively.missNothingFor(quietMs)
  const served = await serveSandbox(sandbox)
  const manifest = readManifest()
  const slack = await startSlack({ scopes: manifest.scopes, ackTimeoutMs, now: clock.now })
  const workspaces = createWorkspaces(slack)
  const port = await freePort()
  const appUrl = `http://127.0.0.1:${port}`
  const { clientId, clientSecret } = slack.oauth
  const supportUrl = 'mailto:support@example.com'
  const stateSecret = randomBytes(24).toString('base64url')
  const config: Config = {
    slack: {
      signingSecret: slack.signingSecret,
      apiUrl: slack.apiUrl,
      oauth: { clientId, clientSecret, stateSecret, publicUrl: appUrl, supportUrl },
    },
    telephonyBaseUrl: served.baseUrl,
    recordingsBaseUrl: undefined,
    storeUrl: `sqlite:${storePathIn(folder)}`,
    encryptionKeys: [{ id: 'demo', key: createSecretKey(randomBytes(32)) }],
    port,
    host: '127.0.0.1',
    logLevel: 'info',
    fetchAhead: true,
    mcp: true,
    alertEveryMs,
    invoiceOperation: false,
    metricsToken: undefined,
    supportUrl,
  }
  await prepareStore(config, workspaces[0], manifest.scopes)
  const destination = pino.destination({ dest: join(folder, 'callboard.log'), sync: true })
  const runtime = createLog(config.logLevel, destination)
  const app = await startServer(config, {
    ...runtime,
    now: clock.now,
    jobPollMs: pollEveryMs,
    scheduleTickMs: pollEveryMs,
  })
  slack.appUrl = appUrl
  offerConsent(slack, workspaces, pageUrl)

  const installUrl = `${appUrl}/`
  const [called] = sandbox.accounts.lively.calls('outgoing')
  const customer = (await loadNumberWriter())(called?.number ?? '')
  const demo = { slack, sandbox, appUrl, installUrl, manifest, customer, workspaces }
  const userMessages = new UserMessages(slack)
  const traffic = new TrafficLog(slack, sandbox.requests, listSecrets(slack, sandbox))
  const progress = new TourProgress()
  slack.changes.on('change', () => progress.look(slack, workspaces))
  const controls = new Controls(app.workspaces, sandbox, clock)
  const actions = new ActionHandler(demo, { userMessages, traffic, controls })
  await playOpening({ ...demo, userMessages, traffic, clock }).catch((error: unknown) =>
    runtime.log.warn({ err: error }, 'opening of the demo failed'),
  )
  return {
    slack,
    sandbox,
    clock,
    appUrl,
    traffic,
    act: (action: Action) => actions.handle(action),
    stateFor(id: string) {
      const [workspace] = workspaces
      const person = personIn(workspaces, id) ?? { workspace, user: workspace.people[0].user }
      return pageState(person, demo, { userMessages, progress, controls, clock })
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
