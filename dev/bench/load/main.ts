import '../../prepare.ts'
import { parseArgs } from 'node:util'
import { LEAST_SECONDS } from './fleet.ts'
import { interactions } from './interactions.ts'
import { strain } from './strain.ts'
import { watch } from './watch.ts'

// Usage: npm run load [-- --only interactions,watch]
//        npm run load -- --only interactions [--workspaces 10000 --seconds 60 --per-second 100]
//        npm run load -- --only watch [--workspaces 10000 --watched 10000 --every 60 --seconds 600 --missed-per-second 20 --calm]
//        npm run load -- --only strain [--seconds 60]
// `strain` tells what others notice of a slow account, a burst and many agents, in one process.
// Two processes of the app over PostgreSQL, while the service is slow, failing and cut by turns, one process is killed and
// the other restarted. `interactions` tells what became of every interaction of ten thousand workspaces, and of every
// export's file; `watch` what became of every missed call of ten thousand accounts that have an alert.

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'interactions,watch,strain' },
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
const secondsOr = (usual: number) =>
  Math.max(Number(values.seconds ?? usual), values.calm ? 0 : LEAST_SECONDS)

const parts: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  interactions: () =>
    interactions({ workspaces, seconds: secondsOr(60), perSecond: Number(values['per-second']) }),
  strain: () => strain({ seconds: Number(values.seconds ?? 60) }),
  watch: () =>
    watch({
      workspaces,
      watched: Number(values.watched ?? Math.min(workspaces, 10_000)),
      everySeconds: Number(values.every),
      seconds: secondsOr(600),
      missedPerSecond: Number(values['missed-per-second']),
      isCalm: values.calm,
    }),
}

for (const name of values.only.split(',')) {
  const part = parts[name]
  if (!part) throw new Error(`there is no part ${name}: ${Object.keys(parts).join(', ')}`)
  process.stderr.write(`${name}\n`)
  console.log(`${(await part()).join('\n')}\n`)
}
