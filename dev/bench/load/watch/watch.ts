import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PgBossJobs } from '../../../../src/jobs/pg-boss.ts'
import { createLog } from '../../../../src/log.ts'
import { several } from '../../../../src/util/several.ts'
import { startPostgres } from '../../../postgres.ts'
import { startProcess } from '../../measured-process.ts'
import { SlackStub } from '../../slack-stub.ts'
import { enterprise, teamId } from '../../workspaces.ts'
import { AppProcesses } from '../app-processes.ts'
import { appEnv, connectAll, connectorOf } from '../connected.ts'
import { Faults, type Mode } from '../faults.ts'
import { Channels, channelOf } from './channels.ts'
import { countingSettings, DatabaseFigures } from './database.ts'
import { MissedCalls } from './missed.ts'
import { type Parts, Stretch, type WatchSizes } from './stretch.ts'
import { ProcessUse } from './usage.ts'

const LOOK_EVERY_S = 5
/** A burst in one account, besides all that is missed here and there. */
const BURST = { everySeconds: 10, calls: 40 }
/** For what was missed last, and what a killed process had begun. */
const PATIENCE_S = 240

function miss({ calls, service }: Parts, team: number, count: number): void {
  const ids = calls.miss(team, count)
  service.send(JSON.stringify({ key: `key-${team}`, ids }))
}

/** Lets calls be missed, one after the other, in accounts here and there, while things go wrong. */
async function run(parts: Parts, lines: string[]): Promise<void> {
  const { sizes, calls, service, apps } = parts
  const { seconds, watched, missedPerSecond } = sizes
  const faults = new Faults(sizes)
  const restarts: Promise<void>[] = []
  let stretch = new Stretch(parts)
  await stretch.begin()
  let name = 'well'
  const next = async (to: string) => {
    lines.push(`${name.padEnd(26)}${await stretch.end()}`)
    stretch = new Stretch(parts)
    await stretch.begin()
    name = to
  }
  const start = performance.now()
  let [sent, bursts, looks] = [0, 0, 0]
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - start) / 1000) {
    for (const { mode, restart } of faults.due(elapsed / seconds)) {
      await next(mode ?? `restart, ${restart?.[1]}`)
      if (mode) setMode(mode)
      if (restart) restarts.push(apps.restart(...restart, seconds * 30))
    }
    for (; sent < elapsed * missedPerSecond; sent += 1) miss(parts, (sent * 7919) % watched, 1 + (sent % 3))
    for (; bursts < elapsed / BURST.everySeconds; bursts += 1)
      miss(parts, (bursts * 104_729) % watched, BURST.calls)
    for (; looks < elapsed / LOOK_EVERY_S; looks += 1) await stretch.look()
    await sleep(20)
  }
  await Promise.all(restarts)
  lines.push(`${name.padEnd(26)}${await stretch.end()}`)

  function setMode(mode: Mode): void {
    service.send(mode)
    calls.show(mode === 'well' || mode === 'slow')
  }
}

/** Workspaces, of which some have an alert, and all a billing post that waits for its day. */
async function fill(storeUrl: string, { workspaces, watched }: WatchSizes): Promise<void> {
  await connectAll(storeUrl, workspaces, async (store, n, tenant) => {
    if (n >= watched) return
    const record = { tenant: { enterpriseId: enterprise, teamId: teamId(n) }, lines: [], agents: [] }
    const [id, owner, channel] = [`a${n}`, connectorOf(n), channelOf(n)]
    await store.alerts.set(tenant, id, {
      ...record,
      id,
      owner,
      channel,
      since: Date.now(),
      isPaused: false,
    })
  })
  const jobs = new PgBossJobs(storeUrl, { log: createLog('silent').log })
  const inAMonth = new Date(Date.now() + 30 * 24 * 3600_000)
  const slot = inAMonth.toISOString()
  await several([...Array(workspaces).keys()], 20, (n) => {
    const data = { tenant: { teamId: teamId(n) }, slot }
    return jobs.enqueue('billing-posts', `${teamId(n)}/post`, data, inAMonth)
  })
  await jobs.stop()
}

/** Until each account was asked for once. @returns after how many seconds */
async function firstLooks({ service, sizes }: Parts): Promise<number> {
  const start = performance.now()
  const patience = 4 * sizes.everySeconds
  while ((await service.count()).accounts < sizes.watched) {
    if (performance.now() - start > patience * 1000) throw new Error('not every account is watched')
    await sleep(500)
  }
  return (performance.now() - start) / 1000
}

/** What becomes of every missed call. @returns lines of text */
export async function watch(sizes: WatchSizes): Promise<readonly string[]> {
  const postgres = await startPostgres(undefined, countingSettings)
  const database = await DatabaseFigures.open(postgres.url)
  const [channels, calls, use] = [new Channels(), new MissedCalls(), new ProcessUse()]
  const slack = await new SlackStub({ inbox: channels }).start()
  const service = await startProcess(fileURLToPath(new URL('service.ts', import.meta.url)), {})
  await fill(postgres.url, sizes)
  await database.reset()
  const env = appEnv(slack, service.url, postgres.url)
  const apps = await new AppProcesses({ ...env, ALERT_EVERY_SECONDS: String(sizes.everySeconds) }).start()
  try {
    const parts = { sizes, apps, service, channels, calls, database, use }
    const { workspaces, watched, everySeconds, seconds, missedPerSecond, isCalm } = sizes
    const lines = [
      `Node ${process.version}, ${availableParallelism()} cores, ${workspaces} workspaces, two processes, ${watched} accounts watched every ${everySeconds} s, calls missed in ${missedPerSecond} accounts a second for ${seconds} s${isCalm ? ', nothing goes wrong' : ''}`,
      '',
      `first looks at all        after ${(await firstLooks(parts)).toFixed(0)} s`,
    ]
    await run(parts, lines)
    const ended = performance.now()
    const isOver = () => calls.isAllTold(channels) || performance.now() - ended > PATIENCE_S * 1000
    while (!isOver()) await sleep(500)
    // What is told twice comes later.
    if (!isCalm) await sleep(Math.min(everySeconds, 60) * 2 * 1000)
    const memory = (await apps.memory()).map((mb) => `${mb.toFixed(0)} MB`).join(' and ')
    const rows = (await database.rows()).map((one) => `${one.name} ${one.rows} (${one.mb} MB)`).join(', ')
    const frequent = await database.frequent(12)
    return [
      ...lines,
      ...calls.report(channels),
      `resident memory           ${memory} at the end`,
      `rows                      ${rows}`,
      ...frequent.map((one) => `  ${one.calls} times, ${(one.ms / one.calls).toFixed(2)} ms: ${one.query}`),
    ]
  } finally {
    await apps.stop()
    await service.stop()
    await slack.close()
    await database.close()
    await postgres.stop()
  }
}
