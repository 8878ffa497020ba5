import '../../../prepare.ts'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EpochMs } from '../../../../src/util/units.ts'
import type { Mode } from '../faults.ts'

// A telephony service in which every key is an account of its own, that nobody answers: every call is missed. Told over
// IPC which calls those are, and what goes wrong from now on.

const PAGE = 20
/** Of its own work, where it is well. */
const answerMs = Number(process.env['ANSWER_MS'] ?? 20)
const SLOW_MS = 1500

interface MissedCall {
  readonly id: string
  readonly at: EpochMs
}

let mode: Mode = 'well'
let requests = 0
/** By the account's key, the newest first. */
const missed = new Map<string, MissedCall[]>()
const asked = new Set<string>()

process.on('message', (message: string) => {
  if (message === 'count') process.send?.({ requests, accounts: asked.size })
  else if (message === 'well' || message === 'slow' || message === 'failing' || message === 'cut')
    mode = message
  else if (message.startsWith('{')) add(JSON.parse(message))
})

function add({ key, ids }: { key: string; ids: readonly string[] }): void {
  const at = Date.now()
  missed.set(key, [...ids.map((id) => ({ id, at })), ...(missed.get(key) ?? [])])
}

const minutesOf = (offset: string) => {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** As clocks with this offset show it: `YYYY-MM-DDTHH:MM:SS…` */
const wallTime = (at: EpochMs, offset: string) => new Date(at + minutesOf(offset) * 60_000).toISOString()

/** `YYYY-MM-DD` of the service's day. */
const dayOf = (text: string) => text.split('-').reverse().join('-')

function record({ id, at }: MissedCall, offset: string) {
  const wall = wallTime(at, offset)
  const hour = Number(wall.slice(11, 13))
  const time = `${String(hour % 12 || 12).padStart(2, '0')}${wall.slice(13, 19)} ${hour < 12 ? 'AM' : 'PM'}`
  return {
    id,
    'DID number': id,
    'Date Time': `${wall.slice(0, 10)} ${time}`,
    Duration: '00:00:00',
    Status: 'Not Answered',
    Cost: '0',
    Recording: '',
    Answered: '',
  }
}

function answerTo(path: string, query: URLSearchParams) {
  const of = (name: string) => query.get(name) ?? ''
  if (!path.endsWith('/incoming')) return { total: 0, result: [] }
  const offset = of('timezone') || '+00:00'
  const [from, to] = [dayOf(of('from')) || '0000', dayOf(of('to')) || '9999']
  const isIn = ({ at }: MissedCall) => {
    const day = wallTime(at, offset).slice(0, 10)
    return day >= from && day <= to
  }
  const all = of('status') === 'Answered' ? [] : (missed.get(of('key')) ?? []).filter(isIn)
  const first = (Number(of('page') || 1) - 1) * PAGE
  return { total: all.length, result: all.slice(first, first + PAGE).map((call) => record(call, offset)) }
}

const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service')
  requests += 1
  asked.add(searchParams.get('key') ?? '')
  if (mode === 'cut') {
    request.socket.destroy()
    return
  }
  const wait = mode === 'slow' ? SLOW_MS : answerMs
  if (wait > 0) await sleep(wait)
  const { total, result } = answerTo(pathname, searchParams)
  const body = { status: '200', message: 'Success', total_record: String(total), result }
  response.writeHead(mode === 'failing' ? 503 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
