import '../prepare.ts'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EpochMs } from '../../src/util/units.ts'
import { formatTime, parseOffset } from '../service/api/wire-time.ts'
import { toAgent, toBilling, toIncoming, toOutgoing } from '../service/records.ts'
import { QUIET_BILLING } from '../service/seeds/accounts.ts'
import { ALL_CALLS, CALLS_IN_RANGE, mark } from './workspaces.ts'

// A telephony service with one account for each key. It receives modes (faults), missed calls and the question
// `count` over IPC. With ANSWERS=missed, an account has only those missed calls, and every second account has EARLIER missed
// calls of today; otherwise all accounts have the same calls, agents and bill, which contain the account's mark.

export type Mode = 'well' | 'slow' | 'failing' | 'cut'

const PAGE = 20
const free = { cost: '0', recording: '', agentId: '' } as const
/** Duration of a response without faults. */
const answerMs = Number(process.env['ANSWER_MS'] ?? 0)

interface MissedCall {
  readonly id: string
  readonly at: EpochMs
}

let mode = 'well'
let requests = 0
/** By account key, newest first. */
const missed = new Map<string, MissedCall[]>()
const asked = new Set<string>()
const started = Date.now()
const earlier = Array.from({ length: Number(process.env['EARLIER'] ?? 0) }, (_, n) => ({
  id: `earlier-${n}`,
  at: started,
}))
const readKey = (key: string) => Number(key.replace(/^key-/, ''))
const listMissed = (key: string) => missed.get(key) ?? (readKey(key) % 2 === 0 ? [] : earlier)

process.on('message', (message: string) => {
  if (message === 'count') process.send?.({ requests, accounts: asked.size })
  else if (message.startsWith('{')) add(JSON.parse(message))
  else mode = message
})

function add({ key, ids }: { key: string; ids: readonly string[] }): void {
  const at = Date.now()
  missed.set(key, [...ids.map((id) => ({ id, at })), ...(missed.get(key) ?? [])])
}

/** Converts the service's `DD-MM-YYYY` to `YYYY-MM-DD`. */
const toIsoDay = (text: string) => text.split('-').reverse().join('-')

function missedCalls(query: URLSearchParams) {
  const get = (name: string) => query.get(name) ?? ''
  const offset = parseOffset(get('timezone')) ?? 0
  const [from, to] = [toIsoDay(get('from')) || '0000', toIsoDay(get('to')) || '9999']
  const isIn = ({ at }: MissedCall) => {
    const day = formatTime(new Date(at), offset).slice(0, 10)
    return day >= from && day <= to
  }
  const all = get('status') === 'Answered' ? [] : listMissed(get('key')).filter(isIn)
  const first = (Number(get('page') || 1) - 1) * PAGE
  const result = all.slice(first, first + PAGE).map(({ id, at }) => {
    const call = { id, direction: 'incoming', number: id, at: new Date(at), seconds: 0 } as const
    return toIncoming({ ...call, answered: false, ...free }, offset, [])
  })
  return { total: all.length, result }
}

/** Picks the middle day, which is in the range in every time zone. */
const middleDay = (from: string, to: string) =>
  new Date((Date.parse(toIsoDay(from)) + Date.parse(toIsoDay(to))) / 2).toISOString().slice(0, 10)

async function sameCalls(direction: 'incoming' | 'outgoing', owner: string, query: URLSearchParams) {
  const page = Number(query.get('page')) + (direction === 'outgoing' ? 1 : 0)
  const [from, to] = [query.get('from'), query.get('to')]
  const day = from && to ? middleDay(from, to) : '2026-06-01'
  const total = from && to ? CALLS_IN_RANGE : ALL_CALLS
  // Later pages take longer, as in a database. Reading all pages takes 10 s.
  await sleep(page / 2)
  const first = (page - 1) * PAGE
  const result = Array.from({ length: Math.max(0, Math.min(PAGE, total - first)) }, (_, n) => {
    const id = `${owner}-${direction}-${day}-${first + n}`
    const at = new Date(`${day}T12:00:00Z`)
    const call = { id, direction, number: owner, at, seconds: 65, answered: true, ...free, cost: '0.0125' }
    return direction === 'incoming' ? toIncoming(call, 0, []) : toOutgoing(call, 0)
  })
  return { total, result }
}

const agent = (name: string, id: string) =>
  toAgent({
    id,
    name,
    callerId: '+4930',
    sipLogin: `login${id}`,
    sipPassword: 'p',
    ipAddress: false,
    followMe: true,
    webphone: '',
  })

const agents = (owner: string) => ['1', '2', '3'].map((id) => agent(`${owner} agent ${id}`, id))

function billing(owner: string) {
  const plan = { ...QUIET_BILLING.plan, name: `${owner} plan` }
  return toBilling({ ...QUIET_BILLING, plan }, new Date())
}

async function createAnswer(path: string, query: URLSearchParams) {
  if (process.env['ANSWERS'] === 'missed')
    return path.endsWith('/incoming') ? missedCalls(query) : { total: 0, result: [] }
  const owner = mark(readKey(query.get('key') ?? ''))
  if (path.includes('/agent')) return { total: 3, result: agents(owner) }
  if (path.includes('/billing')) return { total: 1, result: [billing(owner)] }
  return sameCalls(path.endsWith('/outgoing') ? 'outgoing' : 'incoming', owner, query)
}

const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service')
  requests += 1
  asked.add(searchParams.get('key') ?? '')
  if (mode === 'cut') {
    request.socket.destroy()
    return
  }
  const wait = mode === 'slow' ? 1500 : answerMs
  if (wait > 0) await sleep(wait)
  const { total, result } = await createAnswer(pathname, searchParams)
  const body = { status: '200', message: 'Success', total_record: String(total), result }
  response.writeHead(mode === 'failing' ? 503 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
