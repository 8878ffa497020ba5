import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { clockChanges, endOfDay, localDay, startOfDay } from '../../../src/time/zones.ts'
import { dayMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { createCall, formatLength, readColumn } from './calls.ts'

const app = useApp({ connected: true })
const zone = parseZone('Europe/Berlin')!
/** The latest clock change in the zone, at least some days ago. */
const change = clockChanges(zone, new Date(Date.now() - 300 * dayMs), new Date(Date.now() - 4 * dayMs)).at(
  -1,
)!
const numbers = ['+390699990042', '+390699990043', '0039 06 9999 0142', 'anonymous']

/** Calls from half an hour to two days before and after the clock change, recognized by their durations. */
const calls = Array.from({ length: 192 }, (_, index) =>
  createCall(
    numbers[index % numbers.length] ?? '',
    new Date(change.at.getTime() + (index - 96) * 1_800_000),
    { direction: index % 3 === 0 ? 'incoming' : 'outgoing', seconds: index + 1, answered: index % 5 !== 0 },
  ),
)

const changeDay = localDay(zone, change.at)
const asked = fc.record({
  from: fc.integer({ min: -2, max: 0 }).map((days) => addDays(changeDay, days)),
  to: fc.integer({ min: 0, max: 2 }).map((days) => addDays(changeDay, days)),
  direction: fc.constantFrom('incoming', 'outgoing', undefined),
  isAnswered: fc.boolean(),
  digits: fc.constantFrom('390699990042', '069999', '99990042', '003906', '99990142', '0699990043'),
})
type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never

/** Returns the expected durations. */
function expected({ from, to, direction, isAnswered, digits }: Asked): string[] {
  return calls
    .filter(({ at }) => at >= startOfDay(zone, from) && at < endOfDay(zone, to))
    .filter((call) => direction === undefined || call.direction === direction)
    .filter(({ answered }) => answered || !isAnswered)
    .filter(({ number }) => number.replaceAll(/\D/g, '').includes(digits))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .map(formatLength)
}

it('finds the calls of a number for any days, direction and result around a clock change', async () => {
  const { member, sandbox } = app
  sandbox.accounts.lively.addCalls(...calls)
  await fc.assert(
    fc.asyncProperty(asked, async (query) => {
      const { from, to, direction = '', isAnswered, digits } = query
      const words = `number:${digits} ${from}..${to} ${direction} ${isAnswered ? 'answered' : ''}`
      const message = await member.command(`/calls ${words}`)
      expect(await readColumn(member, message, 'Length')).toEqual(expected(query))
    }),
    { numRuns: 12 },
  )
})
