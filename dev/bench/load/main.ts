import '../../prepare.ts'
import { createSecretKey } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Store } from '../../../src/store/store.ts'
import { tenantKey } from '../../../src/store/tenant.ts'
import { startPostgres } from '../../postgres.ts'
import type { Interaction } from '../interactions.ts'
import { startProcess } from '../measured-process.ts'
import { SlackStub } from '../slack-stub.ts'
import { botToken, enterprise, teamId } from '../workspaces.ts'
import { AppProcesses } from './app-processes.ts'
import { Results, resultOfError, resultOfMessage } from './results.ts'
import type { Mode } from './tenant-service.ts'

// Usage: npm run load [-- --workspaces 10000 --seconds 60 --per-second 100]
// Ten thousand workspaces in PostgreSQL and two processes of the app, while the service is slow, failing and cut by turns,
// one process is killed and the other restarted. Tells what became of every interaction.

const { values } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '60' },
    'per-second': { type: 'string', default: '100' },
  },
})
const workspaces = Number(values.workspaces)
const seconds = Number(values.seconds)
const perSecond = Number(values['per-second'])

/** In shares of the whole time. */
const plan: readonly {
  readonly at: number
  readonly mode?: Mode
  readonly restart?: [0 | 1, 'SIGKILL' | 'SIGTERM']
}[] = [
  { at: 0.15, mode: 'slow' },
  { at: 0.3, mode: 'well' },
  { at: 0.35, restart: [0, 'SIGKILL'] },
  { at: 0.4, mode: 'failing' },
  { at: 0.55, mode: 'well' },
  { at: 0.65, mode: 'cut' },
  { at: 0.75, mode: 'well' },
  { at: 0.85, restart: [1, 'SIGTERM'] },
]

/** Half of it lists of calls, a third pages turned, the rest agents and billing; over all workspaces. */
function interaction(n: number): Interaction {
  const team = (n * 7919) % workspaces
  const page = 1 + (n % 150)
  const kind = n % 20
  if (kind < 7) return { kind: 'click', team, page }
  if (kind < 17) return { kind: 'command', team, page }
  return { kind: 'command', team, page, command: kind < 19 ? '/agents' : '/billing' }
}

async function connectAll(storeUrl: string, key: Buffer): Promise<void> {
  const log = { warn: console.error, error: console.error }
  const encryptionKeys = [{ id: 'k1', key: createSecretKey(key) }] as const
  const store = new Store({ url: storeUrl, encryptionKeys, log })
  let next = 0
  const work = async () => {
    for (let n = next++; n < workspaces; n = next++) {
      const tenant = tenantKey({ enterpriseId: enterprise, teamId: teamId(n) })
      // Whoever connected may see billing.
      const connectedBy = `U${teamId(n).slice(1)}`
      await store.credentials.set({ key: `key-${n}`, secret: 's', connectedBy, connectedAt: 1 }, tenant)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  await store.close()
}

async function send(slack: SlackStub, apps: AppProcesses, n: number, results: Results): Promise<void> {
  const sent = interaction(n)
  // By turns; where one refuses the connection, the other is asked, as a load balancer does.
  const [first, second] = n % 2 === 0 ? apps.up : [...apps.up].reverse()
  for (const app of [first, second]) {
    if (!app) continue
    try {
      const { text, ackMs } = await slack.send(app.url, sent)
      return results.add(resultOfMessage(text, sent.team), ackMs, text)
    } catch (error) {
      const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
      if (isRefused && app === first) continue
      return results.add(resultOfError(error, apps.wasKilled(app.url)), undefined, String(error))
    }
  }
  results.add('told by Slack', undefined, 'no process was up')
}

async function run(slack: SlackStub, apps: AppProcesses, setMode: (mode: Mode) => void): Promise<Results> {
  const results = new Results()
  const sent: Promise<void>[] = []
  const restarts: Promise<void>[] = []
  const steps = [...plan]
  const start = performance.now()
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - start) / 1000) {
    for (; (steps[0]?.at ?? 2) * seconds <= elapsed; steps.shift()) {
      const [step] = steps
      if (step?.mode) setMode(step.mode)
      if (step?.restart) restarts.push(apps.restart(...step.restart, seconds * 30))
    }
    while (sent.length < elapsed * perSecond) sent.push(send(slack, apps, sent.length, results))
    await sleep(2)
  }
  await Promise.all([...sent, ...restarts])
  return results
}

const key = Buffer.alloc(32, 5)
const postgres = await startPostgres()
const slack = await new SlackStub().start()
const service = await startProcess(fileURLToPath(new URL('tenant-service.ts', import.meta.url)), {})
await connectAll(postgres.url, key)
const apps = await new AppProcesses({
  SLACK_SIGNING_SECRET: slack.signingSecret,
  SLACK_BOT_TOKEN: botToken,
  SLACK_API_URL: slack.apiUrl,
  TELEPHONY_BASE_URL: `${service.url}/api/v1`,
  STORE_URL: postgres.url,
  ENCRYPTION_KEYS: `k1:${key.toString('base64')}`,
  LOG_LEVEL: 'warn',
}).start()
try {
  const before = await apps.memory()
  const results = await run(slack, apps, (mode) => service.send(mode))
  const after = await apps.memory()
  const mb = (figures: readonly number[]) => figures.map((one) => `${one.toFixed(0)} MB`).join(' and ')
  const lines = [
    `Node ${process.version}, ${availableParallelism()} cores, ${workspaces} workspaces, two processes, ${perSecond} interactions a second for ${seconds} s`,
    '',
    `sent                      ${results.sent}`,
    `acknowledged within 3 s   ${results.acknowledgedInTime}`,
    `answered rightly          ${results.count('right')}`,
    `answered with an apology  ${results.count('apology')}`,
    `told so by Slack itself   ${results.count('told by Slack')}`,
    `lost with the killed one  ${results.count('killed')} (acknowledged clicks that the process was working on)`,
    `lost otherwise            ${results.count('lost')}`,
    `wrong                     ${results.count('wrong')}`,
    `of another workspace      ${results.count("another's")}`,
    `resident memory           ${mb(before)} at the start, ${mb(after)} at the end`,
    ...results.samples,
  ]
  console.log(lines.join('\n'))
} finally {
  await apps.stop()
  await service.stop()
  await slack.close()
  await postgres.stop()
}
