import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ReadCallsOptions, readLists } from '../../src/telephony/read-calls.ts'
import type { Call, CallPage, CallQuery, ScanProgress } from '../../src/telephony/types.ts'
import { toCall } from '../../src/telephony/wire.ts'
import { utcOffset } from '../../src/time/offsets.ts'
import { runs } from '../support/properties.ts'

const offset = utcOffset('+00:00')
const callOf = (id: string) => toCall({ id }, 'incoming', offset)
const idsOf = (count: number, name = 'old') => Array.from({ length: count }, (_, n) => `${name}${n}`)

/** A list that is paged as the service pages its own. */
class Listing {
  readonly ids: string[]
  #made = 0

  constructor(count: number) {
    this.ids = idsOf(count)
  }

  page(number: number): CallPage {
    const ids = this.ids.slice(20 * (number - 1), 20 * number)
    return { calls: ids.map(callOf), page: number, total: this.ids.length }
  }

  /** @param place from 0, the front, to 1, the end */
  insert(count: number, place: number): void {
    this.#made += 1
    this.ids.splice(Math.round(place * this.ids.length), 0, ...idsOf(count, `new${this.#made}-`))
  }

  remove(count: number, place: number): void {
    this.ids.splice(Math.round(place * (this.ids.length - count)), count)
  }
}

interface Change {
  /** It comes before the request of that number is answered. */
  readonly before: number
  readonly count: number
  readonly place: number
  readonly comes: boolean
}

/** @param comes whether records come or go */
const changes = (comes: fc.Arbitrary<boolean>) =>
  fc.array(
    fc.record({
      before: fc.nat({ max: 40 }),
      // Mostly one by one, and sometimes more than two pages of them.
      count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 50 })),
      place: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
      comes,
    }),
    { maxLength: 12 },
  )

/** The calls of one list. */
async function* scan(
  readOnce: (page: number) => Promise<CallPage>,
  options: ReadCallsOptions = {},
): AsyncGenerator<Call, void, undefined> {
  const source = { readPage: ({ page }: CallQuery) => readOnce(page), maxInFlight: 3 }
  for await (const { calls } of readLists(source, [{ direction: 'incoming', offset }], options)) yield* calls
}

/** Scans a list that changes meanwhile; requests arrive and are answered in any order. */
async function scanChanging(scheduler: fc.Scheduler, size: number, all: readonly Change[]) {
  const listing = new Listing(size)
  const initial = new Set(listing.ids)
  const everThere = new Set(listing.ids)
  let requests = 0
  const readOnce = async (number: number) => {
    await scheduler.schedule(Promise.resolve(), `page ${number} asked for`)
    requests += 1
    for (const { count, place, comes } of all.filter(({ before }) => before === requests)) {
      if (comes) listing.insert(count, place)
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
  const stayed = listing.ids.filter((id) => initial.has(id))
  return { found, stayed, everThere, requests }
}

const sizes = fc.integer({ min: 0, max: 400 })

test('whatever comes meanwhile, what was there all the time is found once, and nothing twice', async () => {
  const property = fc.asyncProperty(
    fc.scheduler(),
    sizes,
    changes(fc.constant(true)),
    async (scheduler, size, all) => {
      const { found, stayed, everThere } = await scanChanging(scheduler, size, all)
      const once = new Set(found)
      expect(found.length).toBe(once.size)
      expect(stayed.filter((id) => !once.has(id))).toEqual([])
      expect(found.filter((id) => !everThere.has(id))).toEqual([])
    },
  )
  await fc.assert(property, { numRuns: runs(60, 300) })
})

test('whatever goes meanwhile, what was there all the time is found once', async () => {
  const property = fc.asyncProperty(
    fc.scheduler(),
    sizes,
    changes(fc.constant(false)),
    async (scheduler, size, all) => {
      const { found, stayed } = await scanChanging(scheduler, size, all)
      expect(found.length).toBe(new Set(found).size)
      expect(stayed.filter((id) => !found.includes(id))).toEqual([])
    },
  )
  await fc.assert(property, { numRuns: runs(60, 300) })
})

test('whatever comes and goes meanwhile, nothing is found twice, and it ends', async () => {
  const property = fc.asyncProperty(
    fc.scheduler(),
    sizes,
    changes(fc.boolean()),
    async (scheduler, size, all) => {
      const { found, requests } = await scanChanging(scheduler, size, all)
      expect(found.length).toBe(new Set(found).size)
      expect(requests).toBeLessThan(300)
    },
  )
  await fc.assert(property, { numRuns: runs(60, 300) })
})

/** The ids that a scan finds, its progress, and the pages that it asked for. */
async function scanOf(answer: (number: number, requests: number) => Partial<CallPage>) {
  const asked: number[] = []
  const progress: ScanProgress[] = []
  const readOnce = async (page: number): Promise<CallPage> => {
    asked.push(page)
    return { calls: [], total: undefined, ...answer(page, asked.length), page }
  }
  const found: string[] = []
  const onProgress = (one: ScanProgress) => progress.push(one)
  for await (const { id } of scan(readOnce, { onProgress })) found.push(id)
  return { found, asked, progress }
}

test('tells how far it has come after each page', async () => {
  const listing = new Listing(45)
  const { found, asked, progress } = await scanOf((number) => listing.page(number))
  expect(found).toEqual(listing.ids)
  expect(asked).toEqual([1, 2, 3])
  expect(progress).toEqual([
    { records: 20, pages: 1, total: 45 },
    { records: 40, pages: 2, total: 45 },
    { records: 45, pages: 3, total: 45 },
  ])
})

test('without a total, it reads page by page until one is not full', async () => {
  const listing = new Listing(45)
  const { found, asked, progress } = await scanOf((number) => ({ ...listing.page(number), total: undefined }))
  expect(found).toEqual(listing.ids)
  expect(asked).toEqual([1, 2, 3])
  expect(progress.at(-1)).toEqual({ records: 45, pages: 3, total: undefined })
})

test('a page without a total among others that have one is asked for again, after the one before it', async () => {
  const listing = new Listing(70)
  const { found, asked } = await scanOf((number) =>
    number === 3 ? { ...listing.page(3), total: undefined } : listing.page(number),
  )
  expect(found).toEqual(listing.ids)
  expect(asked.toSorted()).toEqual([1, 2, 3, 3, 4, 4])
})

test.each([
  ['with no total', undefined],
  ['with a total that is far too high', 999_999_999],
])('a service that repeats its last page is left, %s', async (_, total) => {
  const listing = new Listing(60)
  const { found, asked } = await scanOf((number) => ({ ...listing.page(Math.min(number, 3)), total }))
  expect(found).toEqual(listing.ids)
  expect(Math.max(...asked)).toBeLessThan(30)
})

test('a service whose pages end before its total says so is believed after two readings', async () => {
  const listing = new Listing(60)
  const { found, asked } = await scanOf((number) => ({ ...listing.page(number), total: 100_000 }))
  expect(found).toEqual(listing.ids)
  expect(asked.filter((number) => number === 4).length).toBe(6)
  expect(Math.max(...asked)).toBeLessThan(20)
})

test('an empty page in the middle ends nothing: those after it are read, and then all once more', async () => {
  const listing = new Listing(120)
  const answers: number[] = []
  // Several at once, for as long as it takes to read on.
  const { found, asked } = await scanOf((number) => {
    answers.push(number)
    const isEmpty = number > 1 && number < 5 && answers.filter((one) => one === number).length <= 3
    return isEmpty ? { calls: [], total: 120 } : listing.page(number)
  })
  expect(found.toSorted()).toEqual(listing.ids.toSorted())
  expect(Math.max(...asked)).toBe(6)
})

test('a page that stays empty before others that are not is a failure of the service', async () => {
  const listing = new Listing(100)
  const withoutSecond = scanOf((number) => (number === 2 ? { calls: [], total: 100 } : listing.page(number)))
  await expect(withoutSecond).rejects.toMatchObject({
    name: 'ScanInterruptedError',
    outcome: 'envelope',
    progress: { records: 80, total: 100 },
  })
})

test('an answer that lacks records is asked for again', async () => {
  const listing = new Listing(60)
  let cuts = 0
  const { found } = await scanOf((number) => {
    const page = listing.page(number)
    if (number !== 2 || cuts === 2) return page
    cuts += 1
    return { ...page, calls: page.calls.slice(0, 7) }
  })
  expect(found).toEqual(listing.ids)
  expect(cuts).toBe(2)
})

test('where the order changes and records are missed, all is read once more, and not for ever', async () => {
  const listing = new Listing(100)
  const { found, asked } = await scanOf((number, requests) => {
    if (requests === 3) listing.ids.reverse()
    return listing.page(number)
  })
  expect(found.toSorted()).toEqual(listing.ids.toSorted())
  expect(asked.length).toBeLessThanOrEqual(10)
  const short = new Listing(60)
  const twice = await scanOf((number) => ({ ...short.page(number > 3 ? number - 3 : number), total: 100 }))
  expect([twice.found.length, twice.asked.length]).toEqual([60, 10])
})

test('records without an id are told apart by what they say', async () => {
  const records = ['1', '2', '2'].map((number) => toCall({ 'DID number': number }, 'incoming', offset))
  const found: string[] = []
  const readOnce = async (page: number) => ({ calls: records, page, total: 3 })
  for await (const { number } of scan(readOnce)) found.push(number)
  expect(found).toEqual(['1', '2'])
})

test('never more than a few pages ahead of whoever takes the calls', async () => {
  const listing = new Listing(2000)
  let furthest = 0
  const readOnce = async (page: number) => {
    furthest = Math.max(furthest, page)
    return listing.page(page)
  }
  let taken = 0
  for await (const _call of scan(readOnce)) {
    if (taken++ % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(furthest).toBeLessThanOrEqual(Math.floor(taken / 20) + 13)
  }
  expect([taken, furthest]).toEqual([2000, 100])
})

test('what is thrown by whoever watches ends it', async () => {
  const listing = new Listing(60)
  const onProgress = () => {
    throw new Error('ours')
  }
  const calls = scan(async (page) => listing.page(page), { onProgress })
  const take = async () => {
    for await (const _call of calls);
  }
  await expect(take()).rejects.toThrow('ours')
})
