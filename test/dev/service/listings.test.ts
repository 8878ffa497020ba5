import { describe, expect, it } from 'vitest'
import type { Direction } from '../../../dev/service/types.ts'
import { hourMs } from '../../../src/util/units.ts'
import { ask, ids, sandboxAtNow, walk } from './support.ts'

const sandbox = sandboxAtNow()
const { lively } = sandbox.accounts

describe.each<[Direction, number]>([
  ['incoming', 1],
  ['outgoing', 0],
])('%s', (direction, firstPage) => {
  it(`starts at page ${firstPage}`, async () => {
    const askPage = (page: number) => ask(sandbox, direction, { page: String(page) })
    expect(await ask(sandbox, direction)).toEqual(await askPage(firstPage))
    expect((await askPage(firstPage - 1)).status).toBe(400)
  })

  it.each(['+00:00', '+05:30', '-04:00', '+12:45', '-09:30'])('reads days at %s', async (timezone) => {
    const pages = await walk(sandbox, direction, { timezone, from: '28-10-2026', to: '30-10-2026' })
    const start = new Date(`2026-10-28T00:00:00${timezone}`)
    const end = new Date(start.getTime() + 72 * hourMs)
    const expected = lively.calls(direction).filter(({ at }) => at >= start && at < end)
    expect(expected.length).toBeGreaterThan(40)
    expect(ids(pages)).toEqual(expected.map(({ id }) => id))
    const records = pages.flatMap(({ result }) => result)
    const days = new Set(records.map((record) => record['Date Time']?.slice(0, 10)))
    expect([...days]).toEqual(['2026-10-30', '2026-10-29', '2026-10-28'])
  })

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
})

it('puts later calls in their place, and drops removed ones', async () => {
  const changing = sandboxAtNow()
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
