import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatNumber, joinNames } from '../../src/util/text.ts'

it.each([
  [[], {}, ''],
  [['A'], {}, 'A'],
  [['A', 'B'], {}, 'A and B'],
  [['A', 'B', 'C'], { conjunction: 'or' }, 'A, B or C'],
  [['A', 'B', 'C'], { max: 3 }, 'A, B and C'],
  [['A', 'B', 'C'], { max: 2 }, 'A, B and 1 more'],
  [['A', 'B', 'C'], { max: 1 }, 'A and 2 more'],
] as const)('joins %j with %j', (names, options, text) => {
  expect(joinNames(names, options)).toBe(text)
})

it('formats whole numbers like Intl', () => {
  const english = new Intl.NumberFormat('en')
  fc.assert(
    fc.property(fc.maxSafeInteger(), (count) => {
      expect(formatNumber(count)).toBe(english.format(count))
    }),
  )
})
