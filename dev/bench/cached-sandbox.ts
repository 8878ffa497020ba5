import { createServer } from 'node:http'
import { createSandbox } from '../service/app.ts'

// The sandbox as a process of its own. It answers a request that it has answered before from memory, so that it takes as
// little as it can of the cores that are shared with what is measured. SERVICE_DELAY_MS is how long each response takes,
// SERVICE_CALLS about how many calls it has.
// Asked over IPC for its count, it tells how many requests there were.

const delayMs = Number(process.env['SERVICE_DELAY_MS'] ?? 0)
const calls = Number(process.env['SERVICE_CALLS'] ?? 9000)
const sandbox = createSandbox({ calls, now: () => new Date('2026-06-01T12:00:00Z') })
let requests = 0
process.on('message', (question) => question === 'count' && process.send?.({ requests }))

const cache = new Map<string, Promise<Buffer>>()

async function bodyOf(url: string, method: string): Promise<Buffer> {
  const response = await sandbox.app.fetch(new Request(new URL(url, 'http://sandbox'), { method }))
  return Buffer.from(await response.arrayBuffer())
}

const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  requests += 1
  const { url = '/', method = 'GET' } = request
  const key = `${method} ${url}`
  const cached = cache.get(key) ?? bodyOf(url, method)
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
