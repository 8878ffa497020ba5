import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ReadCallsOptions, readLists } from '../../src/telephony/call-reading.ts'
import type { Call, CallPage, CallQuery, ReadProgress } from '../../src/telephony/types.ts'
import { toCall } from '../../src/telephony/wire.ts'
import { toUtcOffset } from '../../src/time/zones.ts'
import { forRunsAsync, runs } from '../support/properties.ts'

const offset = toUtcOffset(0)
const createCall = (id: string) => toCall({ id }, 'incoming', offset)
const createIds = (count: number, name = 'old') => Array.from({ length: count }, (_, n) => `${name}${n}`)

/** Pages a list like the service. */
class Listing {
  readonly ids: string[]
  #made = 0

  constructor(count: number) {
    this.ids = createIds(count)
  }

  page(number: number): CallPage {
    const ids = this.ids.slice(20 * (number - 1), 20 * number)
    return { calls: ids.map(createCall), page: number, total: this.ids.length }
  }

  /** @param place From 0, the front, to 1, the end. */
  insert(count: number, place: number): void {
    this.#made += 1
    this.ids.splice(Math.round(place * this.ids.length), 0, ...createIds(count, `new${this.#made}-`))
  }

  remove(count: number, place: number): void {
    this.ids.splice(Math.round(place * (this.ids.length - count)), count)
  }
}

interface Change {
  /** Number of the request before whose response the list changes. */
  readonly before: number
  readonly count: number
  readonly place: number
  readonly isAdded: boolean
}

const change = (isAdded: fc.Arbitrary<boolean>) =>
  fc.record({
    before: fc.nat({ max: 40 }),
    // Mostly single calls, and sometimes more than two pages of them.
    count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 50 })),
    place: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
    isAdded,
  })

/** Reads one list. */
async function* scan(
  readOnce: (page: number) => Promise<CallPage>,
  options: ReadCallsOptions = {},
): AsyncGenerator<Call, void, undefined> {
  const readPage = ({ page }: CallQuery) => readOnce(page)
  for await (const { calls } of readLists(readPage, [{ direction: 'incoming', offset }], options))
    yield* calls
}

/** Reads a list that changes meanwhile; requests arrive and are answered in any order. */
async function scanChanging(scheduler: fc.Scheduler, size: number, all: readonly Change[]) {
  const listing = new Listing(size)
  const initial = new Set(listing.ids)
  const everThere = new Set(listing.ids)
  let requests = 0
  const readOnce = async (number: number) => {
    await scheduler.schedule(Promise.resolve(), `page ${number} requested`)
    requests += 1
    for (const { count, place, isAdded } of all.filter(({ before }) => before === requests)) {
      if (isAdded) listing.insert(count, place)
      else listing.remove(Math.min(count, listing.ids.length), place)
    }
    for (const id of listing.ids) everThere.add(id)
    const page = listing.page(number)
    await scheduler.schedule(Promise.resolve(), `page ${number} answered`)
    return page
  }
  const found: string[] = []
  const scanAll = async () => {
    for await (const { id } of scan(readOnce)) found.push(id)
  }
  await scheduler.waitFor(scanAll())
  return { found, stayed: listing.ids.filter((id) => initial.has(id)), everThere, requests }
}

const sizes = fc.integer({ min: 0, max: 400 })

const changing = (
  all: fc.Arbitrary<Change[]>,
  check: (result: Awaited<ReturnType<typeof scanChanging>>) => void,
) =>
  forRunsAsync(runs(60, 300), fc.scheduler(), sizes, all, async (scheduler, size, changes) =>
    check(await scanChanging(scheduler, size, changes)),
  )

test('finds every call once while calls are added, with responses in any order', async () => {
  await changing(fc.array(change(fc.constant(true)), { maxLength: 12 }), ({ found, stayed, everThere }) => {
    const once = new Set(found)
    expect(found.length).toBe(once.size)
    expect(stayed.filter((id) => !once.has(id))).toEqual([])
    expect(found.filter((id) => !everThere.has(id))).toEqual([])
  })
})

test('finds every remaining call once when some are removed, with responses in any order', async () => {
  await changing(
    fc.tuple(change(fc.constant(false))).map((one) => [...one]),
    ({ found, stayed }) => {
      expect(found.length).toBe(new Set(found).size)
      expect(stayed.filter((id) => !found.includes(id))).toEqual([])
    },
  )
})

test('finds no call twice, and ends, however the list changes', async () => {
  await changing(fc.array(change(fc.boolean()), { maxLength: 12 }), ({ found, requests }) => {
    expect(found.length).toBe(new Set(found).size)
    expect(requests).toBeLessThan(300)
  })
})

/** Returns the ids that were found, the progress, and the requested pages. */
async function scanPages(answer: (number: number, requests: number) => Partial<CallPage>) {
  const asked: number[] = []
  const progress: ReadProgress[] = []
  const readOnce = async (page: number): Promise<CallPage> => {
    asked.push(page)
    return { calls: [], total: undefined, ...answer(page, asked.length), page }
  }
  const found: string[] = []
  const onProgress = (one: ReadProgress) => progress.push(one)
  for await (const { id } of scan(readOnce, { onProgress })) found.push(id)
  return { found, asked, progress }
}

test.each([45, undefined])('reads page by page and reports progress, with the total %s', async (total) => {
  const listing = new Listing(45)
  const { found, asked, progress } = await scanPages((number) => ({ ...listing.page(number), total }))
  expect(found).toEqual(listing.ids)
  expect(asked).toEqual([1, 2, 3])
  expect(progress).toEqual([20, 40, 45].map((records) => ({ records, total })))
})

test('goes on after a full page without new calls, with and without a total', async () => {
  for (const total of [60, undefined]) {
    const listing = new Listing(60)
    // Simulates 20 calls added after the first page.
    const { found } = await scanPages((number) => ({ ...listing.page(Math.max(1, number - 1)), total }))
    expect(found).toEqual(listing.ids.slice(0, total === undefined ? 60 : 40))
  }
})

test('uses the latest known total for a page without one', async () => {
  const listing = new Listing(70)
  const { found, asked } = await scanPages((number) =>
    number === 3 ? { ...listing.page(3), total: undefined } : listing.page(number),
  )
  expect(found).toEqual(listing.ids)
  expect(asked).toEqual([1, 2, 3, 4])
})

test.each([
  ['with no total', undefined],
  ['with a total that is far too high', 999_999_999],
])('ends if the service repeats its last page, %s', async (_, total) => {
  const listing = new Listing(60)
  const { found, asked } = await scanPages((number) => ({ ...listing.page(Math.min(number, 3)), total }))
  expect(found).toEqual(listing.ids)
  expect(Math.max(...asked)).toBeLessThan(30)
})

test('ends after two passes if the pages end before the total', async () => {
  const listing = new Listing(60)
  const { found, asked } = await scanPages((number) => ({ ...listing.page(number), total: 100_000 }))
  expect(found).toEqual(listing.ids)
  expect(asked.filter((number) => number === 4).length).toBe(6)
  expect(Math.max(...asked)).toBeLessThan(20)
})

test('reads everything once more after empty pages in the middle', async () => {
  const listing = new Listing(120)
  const answers: number[] = []
  // Several at once, until the next read.
  const { found, asked } = await scanPages((number) => {
    answers.push(number)
    const isEmpty = number > 1 && number < 5 && answers.filter((one) => one === number).length <= 3
    return isEmpty ? { calls: [], total: 120 } : listing.page(number)
  })
  expect(found.toSorted()).toEqual(listing.ids.toSorted())
  expect(Math.max(...asked)).toBe(6)
})

test('fails if a page stays empty, though later ones have calls', async () => {
  const listing = new Listing(100)
  const withoutSecond = scanPages((number) =>
    number === 2 ? { calls: [], total: 100 } : listing.page(number),
  )
  await expect(withoutSecond).rejects.toMatchObject({ outcome: 'envelope' })
})

test('reads as many calls as the limit, and fails if there are more', async () => {
  const listing = new Listing(45)
  const found: string[] = []
  const read = async (limit: number) => {
    for await (const { id } of scan(async (page) => listing.page(page), { limit })) found.push(id)
  }
  await read(45)
  await expect(read(44)).rejects.toMatchObject({ name: 'ReadLimitError', limit: 'calls' })
  expect(found).toEqual([...listing.ids, ...listing.ids.slice(0, 44)])
})

test('requests an incomplete page again', async () => {
  const listing = new Listing(60)
  let cuts = 0
  const { found } = await scanPages((number) => {
    const page = listing.page(number)
    if (number !== 2 || cuts === 2) return page
    cuts += 1
    return { ...page, calls: page.calls.slice(0, 7) }
  })
  expect(found).toEqual(listing.ids)
  expect(cuts).toBe(2)
})

test('reads everything once more if records are missing, but only once', async () => {
  const listing = new Listing(100)
  const { found, asked } = await scanPages((number, requests) => {
    if (requests === 3) listing.ids.reverse()
    return listing.page(number)
  })
  expect(found.toSorted()).toEqual(listing.ids.toSorted())
  expect(asked.length).toBeLessThanOrEqual(10)
  const short = new Listing(60)
  const twice = await scanPages((number) => ({ ...short.page(number > 3 ? number - 3 : number), total: 100 }))
  expect([twice.found.length, twice.asked.length]).toEqual([60, 10])
})

test('distinguishes records without an id by their fields', async () => {
  const records = ['1', '2', '2'].map((number) => toCall({ 'DID number': number }, 'incoming', offset))
  const found: string[] = []
  const readOnce = async (page: number) => ({ calls: records, page, total: 3 })
  for await (const { number } of scan(readOnce)) found.push(number)
  expect(found).toEqual(['1', '2'])
})

test('reads three pages ahead of the consumer', async () => {
  const listing = new Listing(400)
  let furthest = 0
  const readOnce = async (page: number) => {
    furthest = Math.max(furthest, page)
    return listing.page(page)
  }
  let taken = 0
  for await (const _call of scan(readOnce)) {
    expect(furthest).toBe(Math.min(20, Math.floor(taken / 20) + 4))
    taken += 1
  }
  expect(taken).toBe(400)
})

test('cancels the pages that were read ahead when the consumer stops', async () => {
  const listing = new Listing(400)
  let cancelled = 0
  const readPage = ({ page }: CallQuery, signal: AbortSignal) => {
    if (page <= 2) return Promise.resolve(listing.page(page))
    return new Promise<CallPage>((_, reject) => {
      signal.addEventListener('abort', () => {
        cancelled += 1
        reject(signal.reason)
      })
    })
  }
  for await (const _batch of readLists(readPage, [{ direction: 'incoming', offset }])) break
  expect(cancelled).toBe(2)
})

test('ends with the error of a progress callback', async () => {
  const listing = new Listing(60)
  const onProgress = () => {
    throw new Error('ours')
  }
  const calls = scan(async (page) => listing.page(page), { onProgress })
  await expect(Array.fromAsync(calls)).rejects.toThrow('ours')
})
