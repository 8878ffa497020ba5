import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBossJobs } from '../../../src/jobs/pg-boss.ts'
import { createLog } from '../../../src/log.ts'
import { several } from '../../../src/util/promises.ts'
import { channelOf, connectorOf, teamId, tenantOf } from '../workspaces.ts'
import { onStage, type Stage, type StageOptions, throughFaults } from './faults.ts'
import { Channels, MissedCalls } from './missed.ts'
import { countingSettings, DatabaseFigures, UsageByStretch } from './usage.ts'

const SAMPLE_EVERY_S = 5
/** A burst in one account, besides all that is missed here and there. */
const BURST = { everySeconds: 10, calls: 40 }
/** For what was missed last, and what a killed process had begun. */
const PATIENCE_S = 240

export interface WatchSizes {
  readonly workspaces: number
  /** How many of them have an alert. */
  readonly watched: number
  readonly everySeconds: number
  readonly seconds: number
  readonly missedPerSecond: number
  /** Nothing goes wrong. */
  readonly isCalm: boolean
}

/** Lets calls be missed, one after the other, in accounts here and there, while things go wrong. */
async function run(
  stage: Stage,
  sizes: WatchSizes,
  calls: MissedCalls,
  usage: UsageByStretch,
): Promise<void> {
  const { seconds, watched, missedPerSecond, isCalm } = sizes
  const miss = (team: number, count: number) =>
    stage.service.send(JSON.stringify({ key: `key-${team}`, ids: calls.miss(team, count) }))
  let name = 'well'
  let [sent, bursts, samples] = [0, 0, 0]
  await usage.begin()
  await throughFaults(stage, seconds, {
    isCalm,
    onFault: async (fault, mode) => {
      await usage.end(name)
      await usage.begin()
      name = fault
      if (mode) calls.show(mode === 'well' || mode === 'slow')
    },
    work: async (elapsed) => {
      for (; sent < elapsed * missedPerSecond; sent += 1) miss((sent * 7919) % watched, 1 + (sent % 3))
      for (; bursts < elapsed / BURST.everySeconds; bursts += 1)
        miss((bursts * 104_729) % watched, BURST.calls)
      for (; samples < elapsed / SAMPLE_EVERY_S; samples += 1) await usage.sample()
    },
  })
  await usage.end(name)
}

/** Every workspace has a billing post that waits for its day. */
async function enqueueBillingPosts(storeUrl: string, workspaces: number): Promise<void> {
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
async function firstPolls({ service }: Stage, { watched, everySeconds }: WatchSizes): Promise<number> {
  const start = performance.now()
  while ((await service.count()).accounts < watched) {
    if (performance.now() - start > 4 * everySeconds * 1000) throw new Error('not every account is watched')
    await sleep(500)
  }
  return (performance.now() - start) / 1000
}

/** What becomes of every missed call. @returns lines of text */
export async function watch(sizes: WatchSizes): Promise<readonly string[]> {
  const { workspaces, watched, everySeconds, isCalm } = sizes
  const [channels, calls] = [new Channels(), new MissedCalls()]
  const options: StageOptions = {
    inbox: channels,
    workspaces,
    answers: 'missed',
    databaseSettings: countingSettings,
    env: { ALERT_EVERY_SECONDS: String(everySeconds) },
    fill: async (store, n, tenant) => {
      if (n >= watched) return
      const [id, owner, channel] = [`a${n}`, connectorOf(n), channelOf(n)]
      const alert = { id, tenant: tenantOf(n), owner, channel, since: Date.now() }
      await store.alerts.set(tenant, id, { ...alert, lines: [], agents: [], isPaused: false })
    },
    prepare: (url) => enqueueBillingPosts(url, workspaces),
  }
  return onStage(options, async (stage) => {
    const database = await DatabaseFigures.open(stage.databaseUrl)
    const polledAfter = await firstPolls(stage, sizes)
    const usage = new UsageByStretch(stage, database)
    await run(stage, sizes, calls, usage)
    const ended = performance.now()
    const isOver = () => calls.isAllTold(channels) || performance.now() - ended > PATIENCE_S * 1000
    while (!isOver()) await sleep(500)
    // What is told twice comes later.
    if (!isCalm) await sleep(Math.min(everySeconds, 60) * 2 * 1000)
    const rows = (await database.rows()).map((one) => `${one.name} ${one.rows} (${one.mb} MB)`).join(', ')
    const frequent = await database.frequent(12)
    await database.close()
    return [
      `Node ${process.version}, ${availableParallelism()} cores, ${workspaces} workspaces, two processes, ${watched} accounts watched every ${everySeconds} s, calls missed in ${sizes.missedPerSecond} accounts a second for ${sizes.seconds} s${isCalm ? ', nothing goes wrong' : ''}`,
      '',
      `first polls at all        after ${polledAfter.toFixed(0)} s`,
      ...usage.lines,
      ...calls.report(channels),
      `resident memory           ${await stage.apps.memory()} at the end`,
      `rows                      ${rows}`,
      ...frequent.map((one) => `  ${one.calls} times, ${(one.ms / one.calls).toFixed(2)} ms: ${one.query}`),
    ]
  })
}
