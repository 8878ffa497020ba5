import '../prepare.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Environment } from './environment.ts'
import type { Section } from './figures.ts'
import { profile } from './profile.ts'
import { report } from './report.ts'
import type { Bench } from './sections/bench.ts'
import { againstCheckout, equalWork, keptPages, overPostgres } from './sections/equal-work.ts'
import { latency } from './sections/latency.ts'
import { look } from './sections/look.ts'
import { manyWorkspaces } from './sections/many-workspaces.ts'
import { scan } from './sections/scan.ts'
import { startUp } from './sections/start-up.ts'

// Usage: npm run bench [-- --quick] [-- --only equal-work,latency --rounds 12 --seconds 0.8 --warm-up 5 --workspaces 10000 --records 100000 --json FILE]
//        npm run bench -- --against FOLDER    this checkout against another one, which has its dependencies installed
//        npm run bench -- --profile FOLDER    where the CPU goes, and the profiles for the DevTools of a browser
// The app and a bare Bolt app take turns at the same work, each a process of its own, beside the sandbox and a stand-in for
// Slack. A ratio is the median of what was measured side by side; a machine's other work hits both, and "the app against
// itself" says how much of a difference is noise.

const sections: Readonly<Record<string, (bench: Bench) => Promise<Section | readonly Section[]>>> = {
  'equal-work': equalWork,
  'kept-pages': keptPages,
  postgres: overPostgres,
  latency,
  workspaces: manyWorkspaces,
  scan,
  look,
  'start-up': startUp,
}

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
const usual = values.quick
  ? {
      only: 'equal-work,latency,start-up',
      rounds: 3,
      seconds: 0.4,
      warmUp: 1,
      workspaces: 100,
      records: 5000,
    }
  : {
      only: Object.keys(sections).join(','),
      rounds: 10,
      seconds: 0.8,
      warmUp: 5,
      workspaces: 10_000,
      records: 100_000,
    }
const sizes = {
  rounds: Number(values.rounds ?? usual.rounds),
  sliceMs: Number(values.seconds ?? usual.seconds) * 1000,
  warmUpMs: Number(values['warm-up'] ?? usual.warmUp) * 1000,
  workspaces: Number(values.workspaces ?? usual.workspaces),
  records: Number(values.records ?? usual.records),
}

async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const environment = await new Environment().start(sizes.workspaces)
  const [fast, slow] = [await environment.startService(0), await environment.startService(50)]
  try {
    return await work({ environment, fast, slow, ...sizes })
  } finally {
    await fast.stop()
    await slow.stop()
    await environment.close()
  }
}

async function measure(bench: Bench): Promise<readonly Section[]> {
  const { against } = values
  if (against !== undefined) return [await againstCheckout(bench, resolve(against))]
  const found: Section[] = []
  for (const name of (values.only ?? usual.only).split(',')) {
    const section = sections[name]
    if (!section) throw new Error(`there is no section ${name}: ${Object.keys(sections).join(', ')}`)
    if (process.stderr.isTTY) process.stderr.write(`${name}…\n`)
    found.push(...[await section(bench)].flat())
  }
  return found
}

async function printTable(bench: Bench): Promise<void> {
  const started = performance.now()
  const message = await bench.environment.alignMessages(bench.fast)
  const found = await measure(bench)
  const { rounds, sliceMs, warmUpMs } = bench
  const seconds = Math.round((performance.now() - started) / 1000)
  const about = `Node ${process.version}, ${availableParallelism()} cores, ${rounds} rounds of ${sliceMs / 1000} s after ${warmUpMs / 1000} s, ${seconds} s in all`
  console.log(`${about}\n\n${report(found)}\n`)
  console.log(
    `A message has ${message.bytes} bytes on both sides; ${message.added} of the bare app's are filler. A command of the app is acknowledged with its answer where that is ready within 2 s: its acknowledgement holds the whole work.`,
  )
  mkdirSync(dirname(values.json), { recursive: true })
  writeFileSync(values.json, `${JSON.stringify({ about, message, sections: found }, null, 2)}\n`)
}

await withBench(async (bench) => {
  if (values.profile === undefined) await printTable(bench)
  else console.log(await profile(bench, resolve(values.profile)))
})
