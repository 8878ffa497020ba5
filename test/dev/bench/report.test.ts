import { expect, it } from 'vitest'
import { quantile } from '../../../dev/bench/figures.ts'
import { isMet } from '../../../dev/bench/report.ts'

it('an aim is a ratio, and a quantile one of the values', () => {
  const line = { what: '', unit: '', app: 3, bare: 2 }
  expect(isMet(line)).toBeUndefined()
  expect(isMet({ ...line, aim: { is: '<=', ratio: 1.5 } })).toBe(true)
  expect(isMet({ ...line, aim: { is: '>=', ratio: 1.6 } })).toBe(false)
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(3)
  expect(quantile([4, 1, 3, 2], 0.99)).toBe(4)
})
