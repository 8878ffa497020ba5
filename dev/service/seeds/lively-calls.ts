import { tzOffset } from '@date-fns/tz/tzOffset'
import { dayMs, hourMs } from '../../../src/util/units.ts'
import { type Random, seededRandom, weighted } from '../random.ts'
import type { SandboxCall } from '../types.ts'
import type { LivelyAgents } from './agents.ts'
import { type CallMaker, type CallSource, callId } from './call-maker.ts'
import {
  CLOCK_ZONES,
  type ClockChange,
  changesAround,
  clockChanges,
  getDayNumber,
  startOfDay,
  weekday,
} from './days.ts'

const HOME_ZONE = 'Europe/Berlin'
const WINDOW_DAYS = 90
/** Monday to Sunday. */
const WEEK = [1.15, 1.1, 1.05, 1.05, 0.9, 0.3, 0.15]
const WEEK_SUM = WEEK.reduce((sum, weight) => sum + weight, 0)
/** By hour of the home zone: a few at night, fewer at lunch. */
const HOURS = [
  0.3, 0.2, 0.1, 0.1, 0.1, 0.2, 0.5, 2, 6, 10, 11, 10, 6, 7, 10, 10, 9, 6, 3, 2, 1.5, 1, 0.7, 0.4,
]
/** Seconds relative to a clock change: before, at and after it, and on both sides of the lost or repeated hour. */
const AROUND_CHANGE = [-10_800, -7200, -3601, -3600, -1800, -1, 0, 1, 1800, 3599, 3600, 5400, 7200, 10_800]

const FORMER_OUTGOING = 40
const FORMER_INCOMING = 20
/** Positions within a day's ids that ordinary calls don't have. */
const FORMER_PLACE = 80_000
const CHANGE_PLACE = 90_000
const MISSED_PLACE = 70_000

/**
 * Calls over the ninety days before `now`, and more on every day that follows. A day's calls
 * depend on the seed and the day alone.
 *
 * @param calls about how many the ninety days hold
 * @param missedADay incoming calls that every day has besides, all missed
 */
export function livelyCalls(
  seed: number,
  { calls, missedADay }: { readonly calls: number; readonly missedADay: number },
  now: Date,
  agents: LivelyAgents,
  maker: CallMaker,
): CallSource {
  const today = getDayNumber(now)
  const firstDay = today - WINDOW_DAYS
  const perDay = (calls / WINDOW_DAYS) * (7 / WEEK_SUM)
  const offsets = new Map<string, number>()
  const getOffset = (zone: string, day: number): number => {
    const known = offsets.get(`${zone} ${day}`) ?? tzOffset(zone, startOfDay(day))
    offsets.set(`${zone} ${day}`, known)
    return known
  }
  const earlier = changesAround(now, now).filter(({ at }) => getDayNumber(at) < firstDay)
  return {
    firstDay,
    others: [
      ...formerAgentCalls(seed, today, agents, maker),
      ...earlier.flatMap((change) => callsAround(seed, change, maker)),
    ],
    ofDay: (day) => {
      const changing = CLOCK_ZONES.filter((zone) => getOffset(zone, day) !== getOffset(zone, day + 1))
      const changes = changing.flatMap((zone) => clockChanges(zone, startOfDay(day), startOfDay(day + 1)))
      return [
        ...ordinaryCalls(seed, { perDay, day, homeHours: getOffset(HOME_ZONE, day) / 60 }, maker),
        ...missedCalls(seed, missedADay, day, maker),
        ...changes.flatMap((change) => callsAround(seed, change, maker)),
      ]
    },
  }
}

function ordinaryCalls(
  seed: number,
  { perDay, day, homeHours }: { perDay: number; day: number; homeHours: number },
  maker: CallMaker,
): SandboxCall[] {
  const random = seededRandom(seed, day)
  const count = Math.round(perDay * (WEEK[weekday(day)] ?? 1) * (0.85 + 0.3 * random()))
  return Array.from({ length: count }, () => pickMoment(random, day, homeHours))
    .sort((a, b) => a.getTime() - b.getTime())
    .map((at, place) => {
      const direction = random() < 0.55 ? 'incoming' : 'outgoing'
      const hour = (at.getUTCHours() + homeHours) % 24
      const isOpen = hour >= 8 && hour < 18
      const answerRate = direction === 'outgoing' ? 0.7 : isOpen ? 0.84 : 0.15
      return maker.make(random, callId(at, place), { at, direction, answerRate })
    })
}

/** During office hours, which are on the same day from America to Asia. */
function missedCalls(seed: number, count: number, day: number, maker: CallMaker): SandboxCall[] {
  const random = seededRandom(seed, day, MISSED_PLACE)
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(startOfDay(day).getTime() + Math.floor((8 + 7 * random()) * hourMs))
    return maker.make(random, callId(at, MISSED_PLACE + index), { at, direction: 'incoming', answerRate: 0 })
  })
}

/** @param day in UTC; a call just after midnight in the home zone belongs to the UTC day before */
function pickMoment(random: Random, day: number, homeHours: number): Date {
  const hour = (weighted(random, HOURS) - homeHours + 24) % 24
  return new Date(startOfDay(day).getTime() + hour * hourMs + Math.floor(random() * 3600) * 1000)
}

/** Counted from a Monday, so that they stay on the same days for a week. */
function formerAgentCalls(
  seed: number,
  today: number,
  { former }: LivelyAgents,
  maker: CallMaker,
): SandboxCall[] {
  const monday = today - weekday(today) - 84
  return Array.from({ length: FORMER_OUTGOING }, (_, index) => {
    const random = seededRandom(seed, monday + index, FORMER_PLACE)
    const noon = (monday + index) * dayMs + dayMs / 2
    const make = (direction: SandboxCall['direction'], place: number, minutes: number) => {
      const at = new Date(noon + minutes * 60_000)
      return maker.make(random, callId(at, place), { at, direction, answerRate: 0.7, agent: former })
    }
    const outgoing = make('outgoing', FORMER_PLACE, 0)
    return index < FORMER_INCOMING ? [outgoing, make('incoming', FORMER_PLACE + 1, -95)] : [outgoing]
  }).flat()
}

function callsAround(seed: number, { zone, at: change }: ClockChange, maker: CallMaker): SandboxCall[] {
  const zonePlace = CLOCK_ZONES.indexOf(zone) * 1000
  const random = seededRandom(seed, change.getTime() / 1000, CHANGE_PLACE)
  return AROUND_CHANGE.flatMap((seconds, index) =>
    (['incoming', 'outgoing'] as const).map((direction, second) => {
      const at = new Date(change.getTime() + seconds * 1000)
      const id = callId(at, CHANGE_PLACE + zonePlace + index * 2 + second)
      return maker.make(random, id, { at, direction, answerRate: 0.6 })
    }),
  )
}
