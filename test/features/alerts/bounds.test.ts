import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { CallHandling } from '../../../src/features/alerts/handling/handling.ts'
import { OpenLists } from '../../../src/features/alerts/open/list.ts'
import type { Services } from '../../../src/services.ts'
import type { Actor } from '../../../src/slack/access/guards.ts'
import { SqliteDriver } from '../../../src/store/engine/sqlite.ts'
import type { MissedCallRecord } from '../../../src/store/missed-calls.ts'
import { minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { Watched } from './watched.ts'

/** Each of 25 calls takes three: two read its row, and one changes it. Other work may fall into the same turn. */
const MAX_STATEMENTS_PER_TURN = 120

/** Counts the statements of each turn of the event loop, until the test ends. */
function countStatements() {
  const counts = { inTurn: 0, most: 0, all: 0 }
  const count = () => {
    counts.inTurn += 1
    counts.all += 1
    counts.most = Math.max(counts.most, counts.inTurn)
  }
  const { run, get } = SqliteDriver.prototype
  const spies = [
    vi.spyOn(SqliteDriver.prototype, 'run').mockImplementation(function (this: SqliteDriver, ...args) {
      count()
      return run.apply(this, args)
    }),
    vi.spyOn(SqliteDriver.prototype, 'get').mockImplementation(function (this: SqliteDriver, ...args) {
      count()
      return get.apply(this, args)
    }),
  ]
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      counts.inTurn = 0
      await nextTurn()
    }
  }
  void watch()
  onTestFinished(() => {
    isOver = true
    for (const spy of spies) spy.mockRestore()
  })
  return counts
}

const app = useApp()
const watched = new Watched(app)

it('a burst of 5,000 calls, and taking it, leave turns to others', async () => {
  watched.setTime('06:00')
  await watched.connect()
  const channels = [await watched.add(), await watched.add()]
  await watched.pass(minuteMs)
  watched.miss(5000)
  const counts = countStatements()
  await watched.watch(2)
  const [post] = watched.posts(channels[0]!)
  expect(post).toShow('5,000 missed calls since', 'The oldest 4,000 are only counted')
  expect(watched.posts(channels[1]!)[0]).toShow('5,000 missed calls since')
  await watched.take(post!)
  expect(counts.all).toBeGreaterThan(4000)
  expect(counts.most).toBeLessThanOrEqual(MAX_STATEMENTS_PER_TURN)
})

it('people who open Home at once share readings of the open calls', async () => {
  const calls: MissedCallRecord[] = Array.from({ length: 4000 }, (_, n) => ({
    id: `c${n}`,
    at: n,
    line: `+49${n % 7}`,
    shownIn: [{ message: `m${n % 20}`, channel: `C${n % 2}`, at: n }],
  }))
  let readings = 0
  let inTurn = 0
  let most = 0
  const rows = {
    async *scanAfter() {
      readings += 1
      for (const [index, call] of calls.entries()) {
        inTurn += 1
        most = Math.max(most, inTurn)
        yield call
        // Like the database, which reads 500 rows at a time.
        if (index % 500 < 499) continue
        await nextTurn()
        inTurn = 0
      }
    },
  }
  const services = {
    store: { missedCalls: rows },
    channels: { listJoined: async ({ person }: Actor) => new Set([person.id === 'U1' ? 'C1' : 'C0']) },
    now: () => calls.length,
  } as unknown as Services
  const openLists = new OpenLists(services, {} as CallHandling)
  const actor = (n: number) => ({ tenant: 'T1', person: { id: `U${n}` } }) as unknown as Actor
  const find = async (n: number) => {
    return (await openLists.find(actor(n))).reduce((sum, { count }) => sum + count, 0)
  }
  const counts = await Promise.all(Array.from({ length: 20 }, (_, n) => find(n)))
  expect(new Set(counts)).toEqual(new Set([2000]))
  expect(readings).toBe(1)
  expect(most).toBeLessThanOrEqual(500)
  // The next reading sees what has changed, even while another one runs.
  const running = find(0)
  await nextTurn()
  calls[0] = { ...calls[0]!, done: { person: 'U1', name: 'Ada', at: 1 } }
  expect(await Promise.all([running, find(0)])).toEqual([2000, 1999])
  expect(readings).toBe(3)
})
