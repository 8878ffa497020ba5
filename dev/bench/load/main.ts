import '../../prepare.ts'
import { parseArgs } from 'node:util'
import { MIN_SECONDS } from './fleet.ts'
import { interactions } from './interactions.ts'
import { watch } from './watch.ts'

// Usage: npm run load [-- --only interactions,watch]
//        npm run load -- --only interactions [--workspaces 10000 --seconds 60 --per-second 100]
//        npm run load -- --only watch [--workspaces 10000 --watched 10000 --every 60 --seconds 600 --missed-per-second 20 --calm]
// `interactions` and `watch` run two processes over PostgreSQL, while the service is slow, failing and cut off by turns, one
// process is killed and the other restarted. `interactions` checks every interaction of 10,000 workspaces, `watch` every missed
// call of 10,000 accounts with an alert.

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'interactions,watch' },
    workspaces: { type: 'string', default: '10000' },
    seconds: text,
    'per-second': { type: 'string', default: '100' },
    watched: text,
    every: { type: 'string', default: '60' },
    'missed-per-second': { type: 'string', default: '20' },
    calm: { type: 'boolean', default: false },
  },
})
const workspaces = Number(values.workspaces)
const readSeconds = (byDefault: number) =>
  Math.max(Number(values.seconds ?? byDefault), values.calm ? 0 : MIN_SECONDS)

const parts: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  interactions: () =>
    interactions({ workspaces, seconds: readSeconds(60), perSecond: Number(values['per-second']) }),
  watch: () =>
    watch({
      workspaces,
      watched: Number(values.watched ?? Math.min(workspaces, 10_000)),
      everySeconds: Number(values.every),
      seconds: readSeconds(600),
      missedPerSecond: Number(values['missed-per-second']),
      isCalm: values.calm,
    }),
}

for (const name of values.only.split(',')) {
  const part = parts[name]
  if (!part) throw new Error(`unknown: ${name}; choose from ${Object.keys(parts).join(', ')}`)
  process.stderr.write(`${name}\n`)
  console.log(`${(await part()).join('\n')}\n`)
}
