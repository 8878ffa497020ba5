import '../prepare.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Bench } from './bench.ts'
import { report, type Section } from './figures.ts'
import { profile } from './profile.ts'
import { againstCheckout, sections } from './sections.ts'

// Usage: npm run bench [-- --quick] [-- --only equal-work,latency --rounds 12 --seconds 0.8 --warm-up 5 --workspaces 10000 --records 100000 --json FILE]
//        npm run bench -- --against FOLDER    this checkout against another one, which has its dependencies installed
//        npm run bench -- --profile FOLDER    where the CPU goes, and the profiles for the DevTools of a browser
// The app and a bare Bolt app take turns at the same work, each a process of its own, beside the sandbox and a stand-in for
// Slack. A ratio is the median of what was measured side by side; a machine's other work hits both, and "the app against
// itself" says how much of a difference is noise. How far it is stands on the standard error, the table on the output.

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
const full = { rounds: 8, seconds: 0.8, warmUp: 3, workspaces: 10_000, records: 100_000 }
const usual = values.quick
  ? { rounds: 3, seconds: 0.4, warmUp: 1, workspaces: 100, records: 5000 }
  : // The sections at work need few workspaces.
    { ...full, workspaces: values.against || values.profile ? 100 : full.workspaces }
const sizes = {
  rounds: Number(values.rounds ?? usual.rounds),
  sliceMs: Number(values.seconds ?? usual.seconds) * 1000,
  warmUpMs: Number(values['warm-up'] ?? usual.warmUp) * 1000,
  workspaces: Number(values.workspaces ?? usual.workspaces),
  records: Number(values.records ?? usual.records),
}

const started = performance.now()
const elapsed = () => `${Math.round((performance.now() - started) / 1000)} s`

async function measure(bench: Bench): Promise<readonly Section[]> {
  if (values.against !== undefined) return againstCheckout(bench, resolve(values.against))
  const all = values.quick ? 'equal-work,latency,start-up' : Object.keys(sections).join(',')
  const found: Section[] = []
  for (const name of (values.only ?? all).split(',')) {
    const section = sections[name]
    if (!section) throw new Error(`there is no section ${name}: ${Object.keys(sections).join(', ')}`)
    process.stderr.write(`${name}, after ${elapsed()}\n`)
    found.push(...(await section(bench)))
  }
  return found
}

async function printTable(bench: Bench): Promise<void> {
  const message = await bench.alignMessages()
  const found = await measure(bench)
  const { rounds, sliceMs, warmUpMs } = sizes
  const about = `Node ${process.version}, ${availableParallelism()} cores, ${rounds} rounds of ${sliceMs / 1000} s after ${warmUpMs / 1000} s, ${elapsed()} in all`
  console.log(`${about}\n\n${report(found)}\n`)
  console.log(
    `A message has ${message.bytes} bytes on both sides; ${message.added} of the bare app's are filler. A command of the app is acknowledged with its answer where that is ready within 2 s: its acknowledgement holds the whole work.`,
  )
  mkdirSync(dirname(values.json), { recursive: true })
  writeFileSync(values.json, `${JSON.stringify({ about, message, sections: found }, null, 2)}\n`)
}

const bench = await Bench.start(sizes)
try {
  if (values.profile === undefined) await printTable(bench)
  else console.log(await profile(bench, resolve(values.profile)))
} finally {
  await bench.close()
}
