import '../prepare.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { report, type Section } from './figures.ts'
import { Bench } from './harness.ts'
import { againstCheckout, measures } from './measures.ts'
import { profile } from './profile.ts'

// Usage: npm run bench [-- --quick] [-- --only equal-work,latency --rounds 7 --seconds 0.8 --warm-up 2 --workspaces 10000 --records 30000 --json FILE]
//        npm run bench -- --against FOLDER    this checkout against another one, which has its dependencies installed
//        npm run bench -- --profile FOLDER    where the CPU goes, and the profiles for the DevTools of a browser
// The app, a bare Bolt app and the app once more take turns at the same work, each a process of its own, beside the sandbox
// and a stand-in for Slack. A ratio is the median of what was measured side by side; a machine's other work hits both, and
// the app against itself says how much of a difference is noise. How far it is stands on the standard error, what was found
// on the output as soon as it is. It ends with 1 where an aim is missed by more than the noise.

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    'warm-up': { type: 'string' },
    workspaces: { type: 'string' },
    records: { type: 'string' },
    json: { type: 'string', default: 'coverage/bench.json' },
    against: { type: 'string' },
    profile: { type: 'string' },
  },
})
const { against, quick } = values
const usual = quick
  ? { rounds: 3, seconds: 0.4, warmUp: 1, workspaces: 100, records: 5000 }
  : { rounds: 7, seconds: 0.8, warmUp: 2, workspaces: 10_000, records: 30_000 }
const sizes = {
  rounds: Number(values.rounds ?? usual.rounds),
  sliceMs: Number(values.seconds ?? usual.seconds) * 1000,
  warmUpMs: Number(values['warm-up'] ?? usual.warmUp) * 1000,
  workspaces: Number(values.workspaces ?? usual.workspaces),
  records: Number(values.records ?? usual.records),
}

const started = performance.now()
const progress = (text: string) =>
  process.stderr.write(`${Math.round((performance.now() - started) / 1000)} s: ${text}\n`)

function chosenMeasures() {
  const usually = against !== undefined ? 'equal-work' : quick ? 'equal-work,latency,start-up' : undefined
  const names = (values.only ?? usually)?.split(',') ?? measures.map(({ name }) => name)
  const unknown = names.filter((name) => !measures.some((measure) => measure.name === name))
  if (unknown.length > 0)
    throw new Error(
      `there is no ${unknown.join(', ')}: ${[...new Set(measures.map(({ name }) => name))].join(', ')}`,
    )
  const chosen = measures.filter(({ name }) => names.includes(name))
  return against === undefined ? chosen : chosen.map((one) => againstCheckout(one, resolve(against)))
}

async function measureAll(bench: Bench): Promise<void> {
  const { rounds, sliceMs, warmUpMs } = sizes
  const about = `Node ${process.version}, ${availableParallelism()} cores, ${rounds} rounds of ${sliceMs / 1000} s after ${warmUpMs / 1000} s`
  const message = await bench.alignMessages()
  console.log(
    `${about}. A message has ${message.bytes} bytes on both sides; ${message.added} of the bare app's are filler. A command of the app is acknowledged with its answer where that is ready within 2 s: its acknowledgement holds the whole work.\n`,
  )
  const sections: Section[] = []
  for (const measure of chosenMeasures()) {
    const section = await bench.measure(measure, (round, all) =>
      progress(`${measure.title}, ${round} of ${all}`),
    )
    sections.push(section)
    console.log(`${report(section)}\n`)
  }
  progress('the end')
  mkdirSync(dirname(values.json), { recursive: true })
  writeFileSync(values.json, `${JSON.stringify({ about, message, sections }, null, 2)}\n`)
  const missed = sections.flatMap(({ lines }) => lines).filter(({ verdict }) => verdict === 'MISSED')
  if (missed.length === 0) return
  console.log(`Missed by more than the noise: ${missed.map(({ what }) => what).join('; ')}`)
  process.exitCode = 1
}

const bench = await Bench.start(sizes)
try {
  if (values.profile === undefined) await measureAll(bench)
  else console.log(await profile(bench, resolve(values.profile)))
} finally {
  await bench.close()
}
