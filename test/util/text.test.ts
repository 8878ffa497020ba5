import { expect, it } from 'vitest'
import { joinNames } from '../../src/util/text.ts'

it.each([
  [[], {}, ''],
  [['A'], {}, 'A'],
  [['A', 'B'], {}, 'A and B'],
  [['A', 'B', 'C'], { word: 'or' }, 'A, B or C'],
  [['A', 'B', 'C'], { most: 3 }, 'A, B and C'],
  [['A', 'B', 'C'], { most: 2 }, 'A, B and 1 more'],
  [['A', 'B', 'C'], { most: 1 }, 'A and 2 more'],
] as const)('joins %j with %j', (names, options, text) => {
  expect(joinNames(names, options)).toBe(text)
})
