import '../../prepare.ts'
import { createSecretKey } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Store } from '../../../src/store/store.ts'
import { tenantKey } from '../../../src/store/tenant.ts'
import { startPostgres } from '../../postgres.ts'
import { startProcess } from '../measured-process.ts'
import { SlackStub } from '../slack-stub.ts'
import { botToken, enterprise, teamId } from '../workspaces.ts'
import { AppProcesses } from './app-processes.ts'
import { type ExportResult, Exports } from './exports.ts'
import { asked } from './mix.ts'
import { type Result, Results, resultOfError, resultOfMessage } from './results.ts'
import type { Mode } from './tenant-service.ts'

// Usage: npm run load [-- --workspaces 10000 --seconds 60 --per-second 100]
// Ten thousand workspaces in PostgreSQL and two processes of the app, while the service is slow, failing and cut by turns,
// one process is killed and the other restarted. Tells what became of every interaction, and of every export's file.

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

interface Parts {
  readonly slack: SlackStub
  readonly apps: AppProcesses
  readonly exports: Exports
}

async function send({ slack, apps, exports }: Parts, n: number, results: Results): Promise<void> {
  const sent = asked(n, { all: seconds * perSecond, workspaces })
  const { what, interaction } = sent
  const add = (result: Result, more: { ackMs?: number; text: string }) => {
    results.add(what, result, more)
    if (what === 'export') exports.answered(interaction.team, result)
  }
  // By turns; where one refuses the connection, the other is asked, as a load balancer does.
  const [first, second] = n % 2 === 0 ? apps.up : [...apps.up].reverse()
  for (const app of [first, second]) {
    if (!app) continue
    try {
      const { text, ackMs } = await slack.send(app.url, interaction)
      return add(resultOfMessage(text, sent), { ackMs, text })
    } catch (error) {
      const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
      if (isRefused && app === first) continue
      return add(resultOfError(error, apps.wasKilled(app.url)), { text: String(error) })
    }
  }
  add('told by Slack', { text: 'no process was up' })
}

async function run(parts: Parts, setMode: (mode: Mode) => void): Promise<Results> {
  const results = new Results()
  const sent: Promise<void>[] = []
  const restarts: Promise<void>[] = []
  const steps = [...plan]
  const start = performance.now()
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - start) / 1000) {
    for (; (steps[0]?.at ?? 2) * seconds <= elapsed; steps.shift()) {
      const [step] = steps
      if (step?.mode) setMode(step.mode)
      if (step?.restart) restarts.push(parts.apps.restart(...step.restart, seconds * 30))
    }
    while (sent.length < elapsed * perSecond) sent.push(send(parts, sent.length, results))
    await sleep(2)
  }
  await Promise.all([...sent, ...restarts])
  return results
}

function exportLines(exports: Exports): readonly string[] {
  const results = exports.results()
  const count = (result: ExportResult) => results.filter((one) => one === result).length
  return [
    `exports asked for         ${results.length}`,
    `exports arrived once      ${count('arrived once')} (whole; ${exports.begunAgain} of all were begun again)`,
    `exports told why not      ${count('told why not')}`,
    `exports told to look      ${count('told to look')} (a process was killed as it sent the file)`,
    `exports not begun         ${count('killed')} (told so by Slack, or lost with the killed one)`,
    `exports lost              ${count('lost')}`,
    `exports arrived twice     ${count('arrived twice')}`,
    `exports wrong             ${count('wrong')}`,
    `exports of another one    ${count("another's") + exports.unasked}`,
  ]
}

const key = Buffer.alloc(32, 5)
const postgres = await startPostgres()
const exports = new Exports()
const slack = await new SlackStub({ inbox: exports }).start()
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
  const results = await run({ slack, apps, exports }, (mode) => service.send(mode))
  await exports.ended()
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
    `reports                   ${results.summary('report')}`,
    `number searches           ${results.summary('number search')}`,
    ...exportLines(exports),
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
