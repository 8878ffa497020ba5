import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../../postgres.ts'
import { startProcess } from '../measured-process.ts'
import { SlackStub } from '../slack-stub.ts'
import { AppProcesses } from './app-processes.ts'
import { appEnv, connectAll } from './connected.ts'
import { type ExportResult, Exports } from './exports.ts'
import { Faults, type Mode } from './faults.ts'
import { asked } from './mix.ts'
import { type Result, Results, resultOfError, resultOfMessage } from './results.ts'

export interface InteractionSizes {
  readonly workspaces: number
  readonly seconds: number
  readonly perSecond: number
}

interface Parts {
  readonly slack: SlackStub
  readonly apps: AppProcesses
  readonly exports: Exports
  readonly sizes: InteractionSizes
}

async function send({ slack, apps, exports, sizes }: Parts, n: number, results: Results): Promise<void> {
  const { workspaces, seconds, perSecond } = sizes
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
  const { seconds, perSecond } = parts.sizes
  const results = new Results()
  const sent: Promise<void>[] = []
  const restarts: Promise<void>[] = []
  const faults = new Faults()
  const start = performance.now()
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - start) / 1000) {
    for (const { mode, restart } of faults.due(elapsed / seconds)) {
      if (mode) setMode(mode)
      if (restart) restarts.push(parts.apps.restart(...restart, seconds * 30))
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

/** What becomes of every interaction, and of every export's file. @returns lines of text */
export async function interactions(sizes: InteractionSizes): Promise<readonly string[]> {
  const { workspaces, seconds, perSecond } = sizes
  const postgres = await startPostgres()
  const exports = new Exports()
  const slack = await new SlackStub({ inbox: exports }).start()
  const service = await startProcess(fileURLToPath(new URL('tenant-service.ts', import.meta.url)), {})
  await connectAll(postgres.url, workspaces)
  const apps = await new AppProcesses(appEnv(slack, service.url, postgres.url)).start()
  try {
    const before = await apps.memory()
    const results = await run({ slack, apps, exports, sizes }, (mode) => service.send(mode))
    await exports.ended()
    const after = await apps.memory()
    const mb = (figures: readonly number[]) => figures.map((one) => `${one.toFixed(0)} MB`).join(' and ')
    return [
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
  } finally {
    await apps.stop()
    await service.stop()
    await slack.close()
    await postgres.stop()
  }
}
