import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { mark } from '../workspaces.ts'
import { callsOf, delayOf, type Listing, totalOf } from './calls.ts'
import type { Mode } from './faults.ts'

// A telephony service in which every key is an account of its own, and every record says whose it is. Told over IPC what
// goes wrong from now on.

let mode: Mode = 'well'
process.on('message', (next: Mode) => {
  mode = next
})

const agent = (owner: string, n: number) => ({
  id: String(n),
  name: `${owner} agent ${n}`,
  sip_login: `login${n}`,
  sip_password: 'p',
  callerid: '+4930',
  ipaddress: 'disabled',
  followme: 'enabled',
  webphone: '',
})
const billing = (owner: string) => ({
  call_route: 'Standard',
  payment_method: 'Card',
  payment_details: '424242******4242',
  creditlimit: '$500.00',
  billingcycle: '2026-12-15',
  plan: { name: `${owner} plan`, price: '$10.00', no_of_agents: '1', storage: '1GB', crm: '0' },
  addon: {
    agents: { no_of_agents: '0', price_per_agent: '$0.00', total_agent_price: '$0.00' },
    storage: { no_of_storage: '0GB', price_per_gb: '$0.00', total_storage_price: '$0.00' },
    crm: { no_of_crm: '0', total_storage_price: '$0.00' },
    did: [],
  },
  total_monthly: '$10.00',
})

function listingOf(path: string, owner: string, parameters: URLSearchParams): Listing {
  const direction = path.endsWith('/outgoing') ? 'outgoing' : 'incoming'
  const page = Number(parameters.get('page')) + (direction === 'outgoing' ? 1 : 0)
  const [from, to] = [parameters.get('from'), parameters.get('to')]
  return { owner, direction, days: from && to ? [from, to] : undefined, page }
}

async function answerTo(path: string, owner: string, parameters: URLSearchParams) {
  if (path.includes('/agent')) return { total: 3, result: [1, 2, 3].map((n) => agent(owner, n)) }
  if (path.includes('/billing')) return { total: 1, result: [billing(owner)] }
  const listing = listingOf(path, owner, parameters)
  await sleep(delayOf(listing))
  return { total: totalOf(listing), result: callsOf(listing) }
}

const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service')
  if (mode === 'cut') {
    request.socket.destroy()
    return
  }
  if (mode === 'slow') await sleep(1500)
  const owner = mark(Number((searchParams.get('key') ?? '').replace(/^key-/, '')))
  const { total, result } = await answerTo(pathname, owner, searchParams)
  const body = { status: '200', message: 'Success', total_record: String(total), result }
  response.writeHead(mode === 'failing' ? 503 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
