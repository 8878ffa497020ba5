import { describe, expect, it } from 'vitest'
import { formatTime } from '../../../dev/service/api/wire-time.ts'
import type { Direction } from '../../../dev/service/types.ts'
import { hourMs } from '../../../src/util/units.ts'
import { ask, ids, sandboxAt, walk } from './support.ts'

const sandbox = sandboxAt()
const { lively, quiet } = sandbox.accounts
const DIRECTIONS: Direction[] = ['incoming', 'outgoing']
const FIRST = { incoming: 1, outgoing: 0 }

describe.each(DIRECTIONS)('%s', (direction) => {
  it('shows every call exactly once over its pages, newest first', async () => {
    const pages = await walk(sandbox, direction)
    const calls = lively.calls(direction)
    expect(calls.length % 20).not.toBe(0)
    expect(ids(pages)).toEqual(calls.map(({ id }) => id))
    expect(new Set(ids(pages)).size).toBe(calls.length)
    expect(pages.slice(0, -1).every(({ result }) => result.length === 20)).toBe(true)
    expect(pages.every(({ total_record }) => total_record === String(calls.length))).toBe(true)
    const times = calls.map(({ at }) => at.getTime())
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })

  it('starts at its own first page', async () => {
    const unpaged = await ask(sandbox, direction)
    const first = await ask(sandbox, direction, { page: String(FIRST[direction]) })
    const second = await ask(sandbox, direction, { page: String(FIRST[direction] + 1) })
    expect(unpaged).toEqual(first)
    expect(second.body.result[0]?.['id']).toBe(lively.calls(direction)[20]?.id)
  })

  it.each(['999', '99999999999999999999'])('is empty at page %s, with the right total', async (page) => {
    const { status, body } = await ask(sandbox, direction, { page })
    expect(status).toBe(200)
    expect(body).toEqual({
      status: '200',
      message: 'Success',
      total_record: String(lively.calls(direction).length),
      result: [],
    })
  })

  it.each([
    ['Answered', true],
    ['Not Answered', false],
  ])('filters by the status %s', async (status, answered) => {
    const pages = await walk(sandbox, direction, { status })
    const expected = lively.calls(direction).filter((call) => call.answered === answered)
    expect(expected.length).toBeGreaterThan(100)
    expect(ids(pages)).toEqual(expected.map(({ id }) => id))
    expect(pages[0]?.total_record).toBe(String(expected.length))
  })

  it('filters by agent', async () => {
    const pages = await walk(sandbox, direction, { agentid: '1002' })
    const expected = lively.calls(direction).filter(({ agentId }) => agentId === '1002')
    expect(expected.length).toBeGreaterThan(40)
    expect(ids(pages)).toEqual(expected.map(({ id }) => id))
  })

  it.each(['9999', '1013', '0'])('has no calls for the agent %s', async (agentid) => {
    const { status, body } = await ask(sandbox, direction, { agentid })
    expect([status, body.total_record, body.result]).toEqual([200, '0', []])
  })

  it.each(['+00:00', '+05:30', '-04:00', '+12:45', '-09:30'])(
    'reads days at the offset %s',
    async (timezone) => {
      const pages = await walk(sandbox, direction, { timezone, from: '28-10-2026', to: '30-10-2026' })
      const start = new Date(`2026-10-28T00:00:00${timezone}`)
      const end = new Date(start.getTime() + 72 * hourMs)
      const expected = lively.calls(direction).filter(({ at }) => at >= start && at < end)
      expect(expected.length).toBeGreaterThan(40)
      expect(ids(pages)).toEqual(expected.map(({ id }) => id))
      const days = new Set(
        pages.flatMap(({ result }) => result.map((record) => record['Date Time']?.slice(0, 10))),
      )
      expect([...days]).toEqual(['2026-10-30', '2026-10-29', '2026-10-28'])
    },
  )

  it('combines filters', async () => {
    const params = { from: '01-10-2026', to: '31-10-2026', agentid: '1001', status: 'Answered' }
    const pages = await walk(sandbox, direction, params)
    const expected = lively.calls(direction).filter(({ at, agentId, answered }) => {
      return answered && agentId === '1001' && at.toISOString().startsWith('2026-10')
    })
    expect(expected.length).toBeGreaterThan(20)
    expect(ids(pages)).toEqual(expected.map(({ id }) => id))
  })

  it.each(['from', 'to'])('accepts %s by itself', async (bound) => {
    const { body } = await ask(sandbox, direction, { [bound]: '15-10-2026' })
    const expected = lively.calls(direction).filter(({ at }) => {
      const day = at.toISOString().slice(0, 10)
      return bound === 'from' ? day >= '2026-10-15' : day <= '2026-10-15'
    })
    expect(body.total_record).toBe(String(expected.length))
  })

  it('has no calls in the future or before its first one', async () => {
    const future = await ask(sandbox, direction, { from: '06-11-2026' })
    const past = await ask(sandbox, direction, { to: '31-12-2019' })
    expect([future.body.total_record, past.body.total_record]).toEqual(['0', '0'])
  })

  it('writes noon and midnight as 12 PM and 12 AM', async () => {
    const call = lively
      .calls(direction)
      .find(({ at }) => at.getUTCMinutes() === 0 || at.getUTCMinutes() === 30)!
    const minutes = call.at.getUTCHours() * 60 + call.at.getUTCMinutes()
    for (const [target, text] of [
      [0, '12:00'],
      [720, '12:00'],
    ] as const) {
      const shift = ((((target - minutes + 720) % 1440) + 1440) % 1440) - 720
      const size = Math.abs(shift)
      const timezone = `${shift < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`
      const pages = await walk(sandbox, direction, { timezone, agentid: call.agentId })
      const record = pages.flatMap(({ result }) => result).find(({ id }) => id === call.id)
      expect(record?.['Date Time']).toMatch(new RegExp(` ${text}:\\d\\d ${target === 0 ? 'AM' : 'PM'}$`))
      expect(record?.['Date Time']).toBe(formatTime(call.at, shift))
    }
  })
})

it('puts later calls in their place, and drops removed ones', async () => {
  const changing = sandboxAt()
  const account = changing.accounts.lively
  const [newest, second, third] = account.calls('incoming')
  account.addCalls(
    { ...newest!, id: 'new' },
    { ...third!, id: 'late' },
    { ...newest!, id: 'other', direction: 'outgoing' },
  )
  account.removeCall(second!)
  const { body } = await ask(changing, 'incoming')
  expect(body.total_record).toBe(String(lively.calls('incoming').length + 1))
  expect(body.result.slice(0, 4).map(({ id }) => id)).toEqual(['new', newest!.id, 'late', third!.id])
  expect(ids([(await ask(changing, 'outgoing')).body])).toContain('other')
})

it('fills the last page of the agent with forty outgoing and twenty incoming calls', async () => {
  const outgoing = await walk(sandbox, 'outgoing', { agentid: '1012' })
  const incoming = await walk(sandbox, 'incoming', { agentid: '1012' })
  expect(outgoing.map(({ result }) => result.length)).toEqual([20, 20])
  expect(incoming.map(({ result }) => result.length)).toEqual([20])
  expect([outgoing[0]?.total_record, incoming[0]?.total_record]).toEqual(['40', '20'])
})

it('has three incoming calls and no outgoing ones on the quiet account', async () => {
  const incoming = await walk(sandbox, 'incoming', {}, quiet)
  expect(ids(incoming)).toEqual(quiet.calls('incoming').map(({ id }) => id))
  expect(ids(incoming)).toHaveLength(3)
  const outgoing = await ask(sandbox, 'outgoing', {}, quiet)
  expect(outgoing.body).toEqual({ status: '200', message: 'Success', total_record: '0', result: [] })
})

it('ignores a request body, even a malformed one', async () => {
  const { key, secret } = lively
  const path = `/api/v1/outgoing?${new URLSearchParams({ key, secret, timezone: '+00:00' })}`
  const headers = { 'content-type': 'application/json' }
  const response = await sandbox.app.request(path, { method: 'POST', body: '{"page": 3', headers })
  expect(response.status).toBe(200)
})
