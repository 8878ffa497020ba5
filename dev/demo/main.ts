import '../prepare.ts'
import { parseArgs } from 'node:util'

const folder = 'data/demo'

const usage = `Usage: npm run demo [-- OPTIONS]

  --port N  listens on port N instead of 4000
  --help    shows this help`

function readOptions() {
  const options = { port: { type: 'string' }, help: { type: 'boolean' } } as const
  try {
    const { port: given = '4000', help } = parseArgs({ options }).values
    const port = Number(given)
    if (Number.isInteger(port) && port >= 0 && port <= 65_535) return { port, help }
  } catch {
    // The usage below shows the correct options.
  }
  console.error(usage)
  return process.exit(1)
}

async function main(): Promise<void> {
  const { port, help } = readOptions()
  if (help) return console.log(usage)
  // Imported late, so that the compile cache is already on.
  const { startDemo } = await import('./demo.ts')
  const demo = await startDemo({ folder, port })
  console.log(`
The Callboard demo: a simulated Slack in a page, with the real app and an invented phone service.
All data is invented, and nothing leaves this machine.

  Open  ${demo.url}

Take the tour there, or see every screen at ${demo.url}/gallery.
It starts fresh each time. The app's log is in ${folder}. Press Ctrl-C to stop.
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
