import '../prepare.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { report, type Section } from './figures.ts'
import { Bench } from './harness.ts'
import { againstCheckout, equalApp, equalWork, measures, warmUp } from './measures.ts'

// Usage: npm run bench [-- --quick] [-- --only equal-work,latency --rounds 28 --interactions 400 --warm-up 40000]
//                         [--workspaces 10000 --records 30000 --json FILE]
//        npm run bench -- --against FOLDER    compares with another checkout, which has its dependencies installed
//        npm run bench -- --profile FOLDER    writes a CPU profile of equal work, for the DevTools of a browser
// The app, a bare Bolt app and the app once more take turns at the same work. A ratio is the median of the rounds; the ratio of
// the app to itself is the noise. Progress goes to standard error. Exits with 1 if an aim is missed by more than the noise.

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    interactions: { type: 'string' },
    'warm-up': { type: 'string' },
    workspaces: { type: 'string' },
    records: { type: 'string' },
    json: { type: 'string', default: 'coverage/bench.json' },
    against: { type: 'string' },
    profile: { type: 'string' },
  },
})
const { against, quick } = values
const defaults = quick
  ? { rounds: 8, interactions: 200, warmUp: 5000, workspaces: 100, records: 5000 }
  : { rounds: 28, interactions: 400, warmUp: 40_000, workspaces: 10_000, records: 30_000 }
const sizes = {
  rounds: Number(values.rounds ?? defaults.rounds),
  interactions: Number(values.interactions ?? defaults.interactions),
  warmUp: Number(values['warm-up'] ?? defaults.warmUp),
  workspaces: Number(values.workspaces ?? defaults.workspaces),
  records: Number(values.records ?? defaults.records),
}

function chooseMeasures() {
  const byDefault = against !== undefined ? 'equal-work' : quick ? 'equal-work,latency,start-up' : undefined
  const known = [...new Set(measures.map(({ name }) => name))]
  const names = (values.only ?? byDefault)?.split(',') ?? known
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}; choose from ${known.join(', ')}`)
  const chosen = measures.filter(({ name }) => names.includes(name))
  return against === undefined ? chosen : chosen.map((one) => againstCheckout(one, resolve(against)))
}

async function measureAll(bench: Bench): Promise<void> {
  const { rounds, interactions } = sizes
  const about = `Node ${process.version}, ${availableParallelism()} cores, ${rounds} rounds of ${interactions} interactions after ${sizes.warmUp}`
  const message = await bench.alignMessages()
  console.log(
    `${about}. A message has ${message.bytes} bytes on both sides; ${message.added} of the bare app's are filler.\n`,
  )
  const sections: Section[] = []
  for (const measure of chooseMeasures()) {
    const section = await bench.measure(measure, (round, all) =>
      process.stderr.write(`${measure.title}, ${round} of ${all}\n`),
    )
    sections.push(section)
    console.log(`${report(section)}\n`)
  }
  mkdirSync(dirname(values.json), { recursive: true })
  writeFileSync(values.json, `${JSON.stringify({ about, message, sections }, null, 2)}\n`)
  const missed = sections.flatMap(({ lines }) => lines).filter(({ verdict }) => verdict === 'MISSED')
  if (missed.length === 0) return
  console.log(`Missed by more than the noise: ${missed.map(({ what }) => what).join('; ')}`)
  process.exitCode = 1
}

async function profile(bench: Bench, folder: string): Promise<void> {
  const env = { ...equalApp.env, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` }
  const app = await bench.start({ ...equalApp, env }, 'fast')
  await warmUp(bench, app)
  for (let round = 0; round < sizes.rounds; round += 1) await equalWork(bench, app)
  await app.stop('SIGTERM')
}

const bench = await Bench.start(sizes)
try {
  if (values.profile === undefined) await measureAll(bench)
  else await profile(bench, resolve(values.profile))
} finally {
  await bench.close()
}
