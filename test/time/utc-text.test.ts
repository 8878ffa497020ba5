import fc from 'fast-check'
import { expect, it } from 'vitest'
import { utcText } from '../../src/time/utc-text.ts'

it('is what toISOString says, for every second of the years 0 to 9999', () => {
  const second = fc.integer({ min: -62_167_219_200, max: 253_402_300_799 })
  const edge = fc
    .record({
      year: fc.integer({ min: 1, max: 9999 }),
      month: fc.constantFrom(0, 1, 2, 11),
      over: fc.integer({ min: -2, max: 2 }),
    })
    .map(({ year, month, over }) => new Date(0).setUTCFullYear(year, month, 1) / 1000 + over)
  fc.assert(
    fc.property(fc.oneof(second, edge), fc.nat(999), (at, ms) => {
      const instant = at * 1000 + ms
      expect(utcText(instant)).toBe(new Date(instant).toISOString().slice(0, 19).replace('T', ' '))
    }),
    { numRuns: 2000 },
  )
})
