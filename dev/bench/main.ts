import '../prepare.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Environment } from './environment.ts'
import type { Section } from './figures.ts'
import { report } from './report.ts'
import type { Bench } from './sections/bench.ts'
import { againstCheckout, equalWork, keptPages, overPostgres } from './sections/equal-work.ts'
import { latency } from './sections/latency.ts'
import { manyWorkspaces } from './sections/many-workspaces.ts'
import { startUp } from './sections/start-up.ts'

// Usage: npm run bench [-- --quick] [-- --only equal-work,latency --rounds 12 --seconds 1 --warm-up 5 --workspaces 10000 --json FILE]
//        npm run bench -- --against FOLDER: this checkout against another one, which has its dependencies installed
// The app and a bare Bolt app take turns at the same work, each a process of its own, beside the sandbox and a stand-in for
// Slack. A ratio is the median of what was measured side by side; a machine's other work hits both, and "the app against
// itself" says how much of a difference is noise.

const sections: Readonly<Record<string, (bench: Bench) => Promise<Section | readonly Section[]>>> = {
  'equal-work': equalWork,
  'kept-pages': keptPages,
  postgres: overPostgres,
  latency,
  workspaces: manyWorkspaces,
  'start-up': startUp,
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(sections).join(',') },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    'warm-up': { type: 'string' },
    workspaces: { type: 'string' },
    against: { type: 'string' },
    json: { type: 'string', default: 'coverage/bench.json' },
  },
})
const usual = values.quick
  ? { rounds: 3, seconds: 0.5, warmUp: 2, workspaces: 1000 }
  : { rounds: 12, seconds: 0.8, warmUp: 5, workspaces: 10_000 }
const rounds = Number(values.rounds ?? usual.rounds)
const sliceMs = Number(values.seconds ?? usual.seconds) * 1000
const warmUpMs = Number(values['warm-up'] ?? usual.warmUp) * 1000
const workspaces = Number(values.workspaces ?? usual.workspaces)

const against = values.against && resolve(values.against)

const started = performance.now()
const environment = await new Environment().start(workspaces)
const [fast, slow] = [await environment.startService(0), await environment.startService(50)]
const found: Section[] = []
let message = { bytes: 0, added: 0 }
try {
  message = await environment.alignMessages(fast)
  const bench = { environment, fast, slow, rounds, sliceMs, warmUpMs, workspaces }
  const chosen = against === undefined ? values.only.split(',') : ['against']
  for (const name of chosen) {
    const section = against === undefined ? sections[name] : () => againstCheckout(bench, against)
    if (!section) throw new Error(`there is no section ${name}: ${Object.keys(sections).join(', ')}`)
    if (process.stderr.isTTY) process.stderr.write(`${name}…\n`)
    found.push(...[await section(bench)].flat())
  }
} finally {
  await fast.stop()
  await slow.stop()
  await environment.close()
}

const seconds = Math.round((performance.now() - started) / 1000)
const about = `Node ${process.version}, ${availableParallelism()} cores, ${rounds} rounds of ${sliceMs / 1000} s after ${warmUpMs / 1000} s, ${seconds} s in all`
console.log(`${about}\n\n${report(found)}\n`)
console.log(
  `A message has ${message.bytes} bytes on both sides; ${message.added} of the bare app's are filler. A command of the app is acknowledged with its answer where that is ready within 2 s: its acknowledgement holds the whole work.`,
)
mkdirSync(dirname(values.json), { recursive: true })
writeFileSync(values.json, `${JSON.stringify({ about, message, sections: found }, null, 2)}\n`)
