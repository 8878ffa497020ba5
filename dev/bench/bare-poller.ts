import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { accountKey } from './workspaces.ts'

// The minimum cost of polling for missed calls: one undici request for each of ACCOUNTS every EVERY_SECONDS, whose response is
// only parsed.

const accounts = Number(process.env['ACCOUNTS'])
const everyMs = Number(process.env['EVERY_SECONDS']) * 1000
const service = new URL(process.env['TELEPHONY_BASE_URL'] ?? '')
const agent = new Agent({ keepAliveTimeout: 60_000 })

async function request(n: number): Promise<void> {
  const today = new Date().toISOString().slice(0, 10).split('-').reverse().join('-')
  const day = { timezone: '+00:00', from: today, to: today, status: 'Not Answered', page: '1' }
  const path = `${service.pathname}/incoming?${new URLSearchParams({ key: accountKey(n), secret: 's', ...day })}`
  const { body } = await agent.request({ origin: service.origin, path, method: 'GET' })
  await body.json()
}

// The measuring process waits for a connection.
createServer().listen(Number(process.env['PORT']), process.env['HOST'])
const start = performance.now()
for (let sent = 0; ; await sleep(20)) {
  const due = ((performance.now() - start) / everyMs) * accounts
  const requests: Promise<void>[] = []
  for (; sent < due; sent += 1) requests.push(request(sent % accounts))
  await Promise.all(requests)
}
