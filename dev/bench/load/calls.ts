import type { Milliseconds } from '../../../src/util/units.ts'

// The calls of every workspace, which differ by their owner alone.

const PAGE = 20
/** In each direction. */
export const ALL_CALLS = 4000
/** Of these on the days of a range, whichever they are. */
export const CALLS_IN_RANGE = 60

/** What one is asked for: from one day to another, `DD-MM-YYYY`, or all of them. */
export interface Listing {
  readonly owner: string
  readonly direction: 'incoming' | 'outgoing'
  readonly days: readonly [from: string, to: string] | undefined
  /** Counts from 1. */
  readonly page: number
}

/** Reads the service's day. */
const dayOf = (text: string) => Date.parse(text.split('-').reverse().join('-'))

/** In the middle of the days, so that neither a time zone nor the present hour makes a difference. */
function dayIn(days: Listing['days']): string {
  if (!days) return '2026-06-01'
  const [from, to] = days.map(dayOf)
  return new Date(((from ?? 0) + (to ?? 0)) / 2).toISOString().slice(0, 10)
}

const call = ({ owner, direction }: Listing, day: string, n: number) => ({
  id: `${owner}-${direction}-${day}-${n}`,
  [direction === 'incoming' ? 'DID number' : 'Dialed Number']: owner,
  'Date Time': `${day} 12:00:00 PM`,
  Duration: '00:01:05',
  Status: 'ANSWERED',
  Cost: '0.0125',
  Recording: '',
  Answered: '',
})

export const totalOf = ({ days }: Listing): number => (days ? CALLS_IN_RANGE : ALL_CALLS)

export function callsOf(listing: Listing): readonly unknown[] {
  const day = dayIn(listing.days)
  const first = (listing.page - 1) * PAGE
  const count = Math.max(0, Math.min(PAGE, totalOf(listing) - first))
  return Array.from({ length: count }, (_, n) => call(listing, day, first + n))
}

/** How long the service looks for a page: the longer the further back, as a database does. All of them take 10 s. */
export const delayOf = ({ page }: Listing): Milliseconds => page / 2
