import { describe, expect, it } from 'vitest'
import { markSeen, readList } from '../../src/alerts/poll.ts'
import type { SeenList } from '../../src/store/alerts.ts'
import { identityOf } from '../../src/telephony/read-calls.ts'
import { parseDay } from '../../src/time/days.ts'
import { utcOffset } from '../../src/time/offsets.ts'
import { accountOf, clientOf, json, type Reply, startStub, status } from '../support/stub-service.ts'

const day = parseDay('2026-11-20')!
const range = { offset: utcOffset('+00:00'), from: day, to: day }

/** A list of the service's that puts new calls anywhere. */
class Listing {
  readonly ids: string[] = []

  add(count: number, random: () => number) {
    for (let n = 0; n < count; n += 1)
      this.ids.splice(Math.floor(random() * (this.ids.length + 1)), 0, `call-${this.ids.length}-${n}`)
  }

  readonly reply: Reply = (response, request) => {
    const page = Number(request.params.get('page'))
    const result = this.ids.slice((page - 1) * 20, page * 20).map((id) => ({
      id,
      'DID number': `+4930${id.replaceAll(/\D/g, '')}`,
      'Date Time': '2026-11-20 10:00:00 AM',
      Duration: '00:00:00',
      Status: 'NOTANSWERED',
    }))
    json({ status: '200', message: 'Success', total_record: String(this.ids.length), result })(
      response,
      request,
    )
  }
}

/** A small generator, so that a failure comes again. */
function seeded(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

async function withListing(
  run: (scene: {
    listing: Listing
    /** The first page comes, and what is asked next doesn't, until it is mended. */
    cut(): void
    mend(): void
    requests(): number
    poll(): Promise<{ found: readonly string[]; isCut: boolean }>
  }) => Promise<void>,
) {
  const stub = await startStub()
  const listing = new Listing()
  stub.always(listing.reply)
  const client = clientOf(stub.baseUrl, { backoffMs: 1 })
  const seen = new Set<string>()
  let before: SeenList | undefined
  const query = { direction: 'incoming', status: 'missed', ...range, agentId: undefined } as const
  await run({
    listing,
    cut: () => {
      stub.next(listing.reply)
      stub.always(status(503))
    },
    mend: () => stub.always(listing.reply),
    // What a scan asked ahead may come after its end.
    requests: () => stub.requests.filter(({ params }) => params.get('page') === '1').length,
    async poll() {
      const { signal } = new AbortController()
      const { signal: budget } = new AbortController()
      const news = await readList(client, accountOf(), { query, range: 'today', before }, { signal, budget })
      const found = (news?.calls ?? []).map(identityOf)
      for (const id of found) {
        expect(seen.has(id)).toBe(false)
        seen.add(id)
      }
      const now = Date.parse('2026-11-20T12:00:00Z')
      before = { ...markSeen(before ?? { range: '', seen: {} }, found, now), ...news?.end }
      return { found, isCut: news?.error !== undefined }
    },
  })
}

describe('a poll of a list', () => {
  it.each([1, 2, 3, 4, 5])('finds each new call once, on whatever page it is (%i)', (seed) =>
    withListing(async ({ listing, poll, requests }) => {
      const random = seeded(seed)
      for (let round = 0; round < 12; round += 1) {
        const before = new Set(listing.ids)
        listing.add(random() < 0.3 ? 0 : Math.floor(random() ** 3 * 90), random)
        const { found } = await poll()
        expect(found.toSorted()).toEqual(listing.ids.filter((id) => !before.has(id)).toSorted())
        const asked = requests()
        expect((await poll()).found).toEqual([])
        expect(requests() - asked).toBe(1)
      }
    }),
  )

  it('finds a call that is there in place of another one, where there are as many as before', () =>
    withListing(async ({ listing, poll }) => {
      listing.add(30, seeded(9))
      await poll()
      listing.ids[3] = 'call-99-99'
      expect((await poll()).found).toEqual(['call-99-99'])
      expect((await poll()).found).toEqual([])
    }))

  it('that is cut hands on what it found, and the next one finds the rest', () =>
    withListing(async ({ listing, poll, cut, mend }) => {
      listing.add(30, seeded(7))
      await poll()
      const before = new Set(listing.ids)
      listing.add(100, seeded(8))
      cut()
      const first = await poll()
      expect(first.isCut).toBe(true)
      expect(first.found.length).toBeGreaterThan(0)
      expect(first.found.length).toBeLessThan(100)
      mend()
      const rest = await poll()
      expect(rest.isCut).toBe(false)
      const added = listing.ids.filter((id) => !before.has(id))
      expect([...first.found, ...rest.found].toSorted()).toEqual(added.toSorted())
    }))
})
