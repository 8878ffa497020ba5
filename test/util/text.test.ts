import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatNumber, joinNames, takeStart } from '../../src/util/text.ts'
import { forAll } from '../support/properties.ts'

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
  forAll(fc.maxSafeInteger(), (count) => {
    expect(formatNumber(count)).toBe(english.format(count))
  })
})

it.each([
  ['short', 9, 'short'],
  ['a😀b', 2, 'a'],
  ['a😀b', 3, 'a😀'],
  ['ab👩‍👩‍👧‍👦', 9, 'ab'],
  ['🇩🇪🇫🇷', 5, '🇩🇪'],
  ['Zoe\u0308', 3, 'Zo'],
  ['की', 1, 'क'],
  [`e${'\u0301'.repeat(99)}`, 4, 'e\u0301\u0301\u0301'],
  ['😀', 1, ''],
])('takes the start of %j in %i units: %j', (text, max, start) => {
  expect(takeStart(text, max)).toBe(start)
})

it('takes whole characters of any text', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '😀', 'e\u0301', '👩‍👧', '🇩🇪') })
  forAll(texts, fc.nat(40), (text, max) => {
    const start = takeStart(text, max)
    expect(text.startsWith(start)).toBe(true)
    expect(start.isWellFormed()).toBe(true)
    expect(start.length).toBeLessThanOrEqual(max)
  })
})
