import { seededRandom } from '../random.ts'
import { type CallMaker, type CallSource, callId } from './call-maker.ts'
import { dayOf, startOfDay } from './days.ts'

/** Days before today, and the minute of that day in UTC. */
const CALLS = [
  { daysAgo: 40, minute: 605, answerRate: 1 },
  { daysAgo: 9, minute: 902, answerRate: 0 },
  { daysAgo: 1, minute: 700, answerRate: 1 },
] as const

/** Three incoming calls and nothing else, however long the sandbox runs. */
export function quietCalls(seed: number, now: Date, maker: CallMaker): CallSource {
  const today = dayOf(now)
  const others = CALLS.map(({ daysAgo, minute, answerRate }, place) => {
    const day = today - daysAgo
    const at = new Date(startOfDay(day).getTime() + minute * 60_000)
    const random = seededRandom(seed, day, place)
    return maker.make(random, callId(at, place), { at, direction: 'incoming', answerRate })
  })
  return { firstDay: today, others, ofDay: () => [] }
}
