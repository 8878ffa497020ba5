import '../prepare.ts'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { linesWithAims } from './aims.ts'
import { Environment } from './environment.ts'
import { Figures, median, quantile, type Side, sides } from './figures.ts'
import { mixOf } from './interactions.ts'
import { saturate, sendSteadily, turnPages } from './loads.ts'
import type { MeasuredProcess } from './measured-process.ts'
import { report } from './report.ts'
import type { Sample } from './slack-stub.ts'

// Usage: npm run bench [-- --rounds 6 --seconds 3 --workspaces 10000]
// The app and a bare Bolt app take turns at the same work, each a process of its own, beside the sandbox and a stand-in for
// Slack. Every figure is the median of the rounds; the ratio is what counts, since a machine's other work hits both.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '3' },
    workspaces: { type: 'string', default: '10000' },
  },
})
const rounds = Number(values.rounds)
const ms = Number(values.seconds) * 1000
const workspaces = Number(values.workspaces)
const everyday = mixOf({ teams: Math.min(50, workspaces), pages: 200 })

const figures = new Figures()
const environment = await new Environment().start(workspaces)
const { slack } = environment

type Both = Readonly<Record<Side, MeasuredProcess>>

async function startBoth(service: MeasuredProcess): Promise<Both> {
  return {
    app: await environment.startSide('app', service),
    bare: await environment.startSide('bare', service),
  }
}

async function stopBoth(both: Both): Promise<void> {
  for (const side of sides) await both[side].stop()
}

async function eachRound(work: (side: Side, round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) for (const side of sides) await work(side, round)
}

/** Works it and tells what of a core it took, and how much CPU an interaction. */
async function saturated(measured: MeasuredProcess, load: Parameters<typeof saturate>[2]) {
  const before = await measured.usage()
  const { count, seconds } = await saturate(slack, measured.url, load)
  const cpuMs = (await measured.usage()).cpuMs - before.cpuMs
  return { perSecond: count / seconds, cpuMs: cpuMs / count, core: cpuMs / seconds / 1000 }
}

const messageTimes = (samples: readonly Sample[]) => samples.map(({ messageMs }) => messageMs)
const ackTimes = (samples: readonly Sample[], kind: Sample['kind']) =>
  samples.filter((sample) => sample.kind === kind).map(({ ackMs }) => ackMs)

async function startUp(service: MeasuredProcess): Promise<void> {
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of sides) {
      const measured = await environment.startSide(side, service)
      // The first round fills the compile cache.
      if (round > 0) figures.add('start-up', side, measured.startMs)
      await measured.stop()
    }
  }
}

async function throughput(both: Both): Promise<void> {
  const load = { interaction: everyday, underWay: 24, ms }
  for (const side of sides) await saturate(slack, both[side].url, { ...load, ms: Math.min(ms, 2000) })
  await eachRound(async (side) => {
    const { perSecond, cpuMs, core } = await saturated(both[side], load)
    figures.add('throughput at saturation', side, perSecond)
    figures.add('CPU an interaction', side, cpuMs)
    figures.add('share of a core at saturation', side, core)
  })
}

async function latency(both: Both, serviceMs: number): Promise<void> {
  const at = `service at ${serviceMs} ms`
  await eachRound(async (side) => {
    const samples = await sendSteadily(slack, both[side].url, { interaction: everyday, perSecond: 100, ms })
    for (const share of [50, 95, 99])
      figures.add(`message p${share}, ${at}`, side, quantile(messageTimes(samples), share / 100))
    figures.add(`acknowledgement p99, clicks, ${at}`, side, quantile(ackTimes(samples, 'click'), 0.99))
    figures.add(`acknowledgement p99, commands, ${at}`, side, quantile(ackTimes(samples, 'command'), 0.99))
  })
}

async function pageTurns(both: Both): Promise<void> {
  const pages = ms < 1000 ? 3 : 12
  await eachRound(async (side, round) => {
    const reading = { pages, readMs: 150, team: round % workspaces }
    const samples = await turnPages(slack, both[side].url, reading)
    figures.add('page turn, service at 50 ms', side, median(messageTimes(samples)))
  })
}

/**
 * Memory before and after every workspace was used once, and whether so many make an interaction dearer. Without fetching
 * ahead: with it, one workspace alone would find most of its pages kept.
 */
async function manyWorkspaces(service: MeasuredProcess): Promise<void> {
  const useOnce = (measured: MeasuredProcess, n: number) =>
    slack.measure(measured.url, { kind: 'command', team: n % workspaces, page: 1 + (n % 200) })
  for (const side of sides) {
    const measured = await environment.startSide(side, service, { installationStore: true })
    await useOnce(measured, 0)
    const idle = await measured.usage('collect')
    figures.add('resident memory idle', side, idle.rssMb)
    let n = 0
    const work = async () => {
      for (n += 1; n < workspaces; n += 1) await useOnce(measured, n)
    }
    await Promise.all(Array.from({ length: 16 }, work))
    // What is kept for a second or two, such as a deadline's timer, is not what a workspace costs.
    await sleep(Math.min(2000, ms))
    const used = await measured.usage('collect')
    figures.add(`heap for ${workspaces} used workspaces`, side, used.heapMb - idle.heapMb)
    figures.add(`resident memory after ${workspaces} workspaces`, side, used.rssMb)
    if (side === 'app') await costOfMany(measured)
    await measured.stop()
  }
}

/** In the table's columns: all workspaces as the app, one as what it is compared with. */
async function costOfMany(app: MeasuredProcess): Promise<void> {
  const mixes = { app: mixOf({ teams: workspaces, pages: 200 }), bare: mixOf({ teams: 1, pages: 200 }) }
  await eachRound(async (side) => {
    const { cpuMs } = await saturated(app, { interaction: mixes[side], underWay: 4, ms })
    figures.add(`CPU an interaction, ${workspaces} workspaces / one`, side, cpuMs)
  })
}

const [fast, slow] = [await environment.startService(0), await environment.startService(50)]
try {
  await startUp(fast)
  const atOnce = await startBoth(fast)
  await throughput(atOnce)
  await latency(atOnce, 0)
  await stopBoth(atOnce)
  const late = await startBoth(slow)
  await latency(late, 50)
  await pageTurns(late)
  await stopBoth(late)
  await manyWorkspaces(fast)
} finally {
  await fast.stop()
  await slow.stop()
  await environment.close()
}

console.log(
  `Node ${process.version}, ${availableParallelism()} cores, ${rounds} rounds of ${ms / 1000} s, medians\n`,
)
console.log(report(linesWithAims(figures, workspaces)))
console.log(
  '\nA command of the app is acknowledged with its answer where that is ready within 2 s: its acknowledgement holds the whole work.',
)
