import '../prepare.ts'
import { parseArgs } from 'node:util'

// Usage: npm run demo [-- --reset --port N --enterprise]

const folder = 'data/demo'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { reset: { type: 'boolean' }, port: { type: 'string' }, enterprise: { type: 'boolean' } },
  })
  const port = Number(values.port ?? 4000)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new TypeError('--port: a number from 0 to 65535')
  // Imported only now, so that it is compiled from the cache.
  const { startDemo } = await import('./demo.ts')
  const demo = await startDemo({
    folder,
    port,
    reset: values.reset ?? false,
    isEnterprise: values.enterprise ?? false,
  })
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
