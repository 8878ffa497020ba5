import '../prepare.ts'
import { parseArgs } from 'node:util'

const folder = 'data/demo'

const usage = `Usage: npm run demo [-- OPTIONS]

  --reset   starts afresh, without what an earlier demo kept
  --port N  takes another port than 4000, from 0 to 65535
  --help    shows this`

function readOptions() {
  const flag = { type: 'boolean', default: false } as const
  const options = { reset: flag, port: { type: 'string' }, help: flag } as const
  try {
    const { port: given = '4000', ...flags } = parseArgs({ options }).values
    const port = Number(given)
    if (Number.isInteger(port) && port >= 0 && port <= 65_535) return { port, ...flags }
  } catch {
    // What is wrong shows from what there is.
  }
  console.error(usage)
  return process.exit(1)
}

async function main(): Promise<void> {
  const { port, reset, help } = readOptions()
  if (help) return console.log(usage)
  // Imported only now, so that it is compiled from the cache.
  const { startDemo } = await import('./demo.ts')
  const demo = await startDemo({ folder, port, reset })
  console.log(`
Callboard, the demo: a local Slack with the real app and a sandbox of the phone service.
Everything in it is invented, and nothing leaves this machine.

  Open  ${demo.url}

Take the tour there; ${demo.url}/gallery shows everything that Callboard can show.
What the app keeps is in ${folder}, with its log; npm run demo -- --reset starts afresh. Press Ctrl-C to stop.
`)
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await demo.stop()
    process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
