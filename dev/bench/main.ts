import '../prepare.ts'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { linesWithAims } from './aims.ts'
import { mix, saturate, steadily, turnPages } from './loads.ts'
import type { Measured } from './processes.ts'
import { type Line, report } from './report.ts'
import { type Scene, setScene } from './scene.ts'
import type { Sample } from './slack.ts'
import { median, quantile } from './statistics.ts'

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
const everyday = mix({ teams: Math.min(50, workspaces), pages: 200 })

interface Pair {
  readonly app: number[]
  readonly bare: number[]
}
const sides = ['app', 'bare'] as const
const collected = new Map<string, Pair>()

function note(what: string, side: (typeof sides)[number], value: number): void {
  const pair = collected.get(what) ?? { app: [], bare: [] }
  collected.set(what, pair)
  pair[side].push(value)
}

function line(what: string, unit: string, aim?: Line['aim']): Line {
  const { app, bare } = collected.get(what) ?? { app: [], bare: [] }
  return { what, unit, app: median(app), bare: median(bare), ...(aim ? { aim } : {}) }
}

/** Works it and tells what of a core it took, and how much CPU an interaction. */
async function saturated(scene: Scene, measured: Measured, load: Parameters<typeof saturate>[2]) {
  const before = await measured.usage()
  const { samples, seconds } = await saturate(scene.slack, measured.url, load)
  const cpuMs = (await measured.usage()).cpuMs - before.cpuMs
  return { perSecond: samples.length / seconds, cpuMs: cpuMs / samples.length, core: cpuMs / seconds / 1000 }
}

const shown = (samples: readonly Sample[]) => samples.map(({ shownMs }) => shownMs)
const acks = (samples: readonly Sample[], kind: Sample['kind']) =>
  samples.filter((sample) => sample.kind === kind).map(({ ackMs }) => ackMs)

async function startUp(scene: Scene, service: Measured): Promise<void> {
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of sides) {
      const measured = await (side === 'app' ? scene.startApp(service) : scene.startBare(service))
      // The first round fills the compile cache.
      if (round > 0) note('start-up', side, measured.startMs)
      await measured.stop()
    }
  }
}

async function throughput(scene: Scene, both: Record<(typeof sides)[number], Measured>): Promise<void> {
  const load = { next: everyday, underWay: 24, ms }
  for (const side of sides) await saturate(scene.slack, both[side].url, { ...load, ms: Math.min(ms, 2000) })
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) {
      const { perSecond, cpuMs, core } = await saturated(scene, both[side], load)
      note('throughput at saturation', side, perSecond)
      note('CPU an interaction', side, cpuMs)
      note('share of a core at saturation', side, core)
    }
  }
}

async function latency(
  scene: Scene,
  both: Record<(typeof sides)[number], Measured>,
  serviceMs: number,
): Promise<void> {
  const at = `service at ${serviceMs} ms`
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) {
      const samples = await steadily(scene.slack, both[side].url, { next: everyday, perSecond: 100, ms })
      for (const share of [50, 95, 99])
        note(`message p${share}, ${at}`, side, quantile(shown(samples), share / 100))
      note(`acknowledgement p99, clicks, ${at}`, side, quantile(acks(samples, 'click'), 0.99))
      note(`acknowledgement p99, commands, ${at}`, side, quantile(acks(samples, 'command'), 0.99))
    }
  }
}

async function pageTurns(scene: Scene, both: Record<(typeof sides)[number], Measured>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) {
      const samples = await turnPages(scene.slack, both[side].url, {
        pages: ms < 1000 ? 3 : 12,
        readMs: 150,
        team: round % workspaces,
      })
      note('page turn, service at 50 ms', side, median(shown(samples)))
    }
  }
}

/**
 * Memory before and after every workspace was used once, and whether so many make an interaction dearer. Without fetching
 * ahead: with it, one workspace alone would find most of its pages kept.
 */
async function manyWorkspaces(scene: Scene, service: Measured): Promise<void> {
  const once = (n: number) => ({ kind: 'command' as const, team: n % workspaces, page: 1 + (n % 200) })
  for (const side of sides) {
    const isApp = side === 'app'
    const measured = await (isApp
      ? scene.startApp(service)
      : scene.startBare(service, { installationStore: true }))
    await scene.slack.send(measured.url, once(0))
    const idle = await measured.usage('collect')
    note('resident memory idle', side, idle.rssMb)
    let n = 0
    const next = async () => {
      for (n += 1; n < workspaces; n += 1) await scene.slack.send(measured.url, once(n))
    }
    await Promise.all(Array.from({ length: 16 }, next))
    // What is kept for a second or two, such as a deadline's timer, is not what a workspace costs.
    await new Promise((resolve) => setTimeout(resolve, Math.min(2000, ms)))
    const used = await measured.usage('collect')
    note(`heap for ${workspaces} used workspaces`, side, used.heapMb - idle.heapMb)
    note(`resident memory after ${workspaces} workspaces`, side, used.rssMb)
    if (isApp) await costOfMany(scene, measured)
    await measured.stop()
  }
}

async function costOfMany(scene: Scene, app: Measured): Promise<void> {
  const many = mix({ teams: workspaces, pages: 200 })
  const one = mix({ teams: 1, pages: 200 })
  for (let round = 0; round < rounds; round += 1) {
    for (const [side, next] of [
      ['app', many],
      ['bare', one],
    ] as const) {
      const { cpuMs } = await saturated(scene, app, { next, underWay: 4, ms })
      note(`CPU an interaction, ${workspaces} workspaces / one`, side, cpuMs)
    }
  }
}

const scene = await setScene({ workspaces })
const [fast, slow] = [await scene.startService(0), await scene.startService(50)]
try {
  await startUp(scene, fast)
  const both = { app: await scene.startApp(fast), bare: await scene.startBare(fast) }
  await throughput(scene, both)
  await latency(scene, both, 0)
  for (const side of sides) await both[side].stop()
  const late = { app: await scene.startApp(slow), bare: await scene.startBare(slow) }
  await latency(scene, late, 50)
  await pageTurns(scene, late)
  for (const side of sides) await late[side].stop()
  await manyWorkspaces(scene, fast)
} finally {
  await fast.stop()
  await slow.stop()
  await scene.close()
}

console.log(
  `Node ${process.version}, ${availableParallelism()} cores, ${rounds} rounds of ${ms / 1000} s, medians\n`,
)
console.log(report(linesWithAims(line, workspaces)))
console.log(
  '\nA command of the app is acknowledged with its answer where that is ready within 2 s: its acknowledgement holds the whole work.',
)
