import '../prepare.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { HttpServer } from '../../src/http/http-server.ts'
import { createLog } from '../../src/log.ts'
import { createServices } from '../../src/services.ts'
import { HttpReceiver } from '../../src/slack/inbound/http-receiver.ts'
import { connectRoutes } from '../../src/slack/routing/router.ts'
import { tenantKey } from '../../src/store/tenant.ts'
import { utcOffset } from '../../src/time/offsets.ts'
import type { ScanReport } from './measured-process.ts'
import { enterprise, teamId } from './workspaces.ts'

// The app, which besides answering people scans the first workspace's calls where it is asked to over IPC: `scan N` reads N
// records, the outgoing ones first.

const config = readConfig(process.env)
const { signingSecret } = config.slack
if (signingSecret === undefined) throw new Error('the bench sends its requests over HTTP')
const { log, requestIds } = createLog(config.logLevel)
const services = createServices(config, { log, requestIds })
const http = new HttpServer({ port: config.port, host: config.host, log })
const receiver = new HttpReceiver({
  http,
  signingSecret,
  log,
  onAcknowledged: (ms) => services.metrics.time('acknowledgement_seconds', {}, ms),
})
connectRoutes(receiver, createApp(services), services)
await http.start()

async function scan(wanted: number): Promise<ScanReport> {
  const tenant = tenantKey({ enterpriseId: enterprise, teamId: teamId(0) })
  const credentials = await services.store.credentials.get(tenant)
  if (!credentials) throw new Error('the workspace is not connected')
  const start = performance.now()
  const found = { outgoing: { records: 0, pages: 0 }, incoming: { records: 0, pages: 0 } }
  for (const direction of ['outgoing', 'incoming'] as const) {
    const { records } = found.outgoing
    const query = { direction, offset: utcOffset('+01:00') }
    const batches = services.telephony.readCalls({ tenant, credentials }, [query], {
      onProgress: (progress) => {
        found[direction] = progress
      },
    })
    let left = direction === 'outgoing' ? wanted : wanted - records
    if (left > 0) {
      for await (const { calls } of batches) {
        left -= calls.length
        if (left <= 0) break
      }
    }
  }
  const { outgoing, incoming } = found
  return { ms: performance.now() - start, pages: outgoing.pages + incoming.pages }
}

process.on('message', (question) => {
  const [, wanted] = /^scan (\d+)$/.exec(String(question)) ?? []
  if (wanted === undefined) return
  scan(Number(wanted)).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
