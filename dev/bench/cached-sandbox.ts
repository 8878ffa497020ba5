import { createServer } from 'node:http'
import { createSandbox } from '../service/app.ts'

// The sandbox as a separate process. It caches its responses, to leave the cores to the measured process. SERVICE_DELAY_MS is
// the duration of each response, SERVICE_CALLS the approximate number of calls. Reports its number of requests over IPC.

const delayMs = Number(process.env['SERVICE_DELAY_MS'] ?? 0)
const calls = Number(process.env['SERVICE_CALLS'] ?? 9000)
const sandbox = createSandbox({ calls, now: () => new Date('2026-06-01T12:00:00Z') })
let requests = 0
process.on('message', (question) => question === 'count' && process.send?.({ requests }))

const cache = new Map<string, Promise<Buffer>>()

async function createBody(url: string, method: string): Promise<Buffer> {
  const response = await sandbox.app.fetch(new Request(new URL(url, 'http://sandbox'), { method }))
  return Buffer.from(await response.arrayBuffer())
}

const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  requests += 1
  const { url = '/', method = 'GET' } = request
  const key = `${method} ${url}`
  const cached = cache.get(key) ?? createBody(url, method)
  cache.set(key, cached)
  const body = await cached
  const respond = () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  }
  if (delayMs > 0) setTimeout(respond, delayMs)
  else respond()
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
