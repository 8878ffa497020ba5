import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDecimal,
  addMoney,
  formatMoney,
  negateMoney,
  noMoney,
  parseMoney,
} from '../../src/telephony/money.ts'

const cents = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
const written = (amount: bigint, symbol: string) => formatMoney({ symbol, units: amount, scale: 2 })

it('parses every amount that it formats', () => {
  fc.assert(
    fc.property(cents, fc.constantFrom('$', '£', '€', '', 'CHF', 'kr'), (amount, symbol) => {
      expect(parseMoney(written(amount, symbol))).toEqual({ symbol, units: amount, scale: 2 })
    }),
  )
})

it('adds exactly, in any order, with any number of decimals', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(cents, fc.integer({ min: 0, max: 6 })), { minLength: 1 }), (parts) => {
      const amounts = parts.map(([units, scale]) => ({ symbol: '$', units, scale }))
      const sum = addMoney(amounts)
      const exact = parts.reduce((total, [units, scale]) => total + units * 10n ** BigInt(6 - scale), 0n)
      expect(sum && sum.units * 10n ** BigInt(6 - sum.scale)).toBe(exact)
      expect(addMoney(amounts.toReversed())?.units).toBe(sum?.units)
      expect(sum && addMoney([sum, negateMoney(sum)])?.units).toBe(0n)
    }),
  )
})

it.each([
  ['$149.00', '$149.00'],
  ['$1,234.50', '$1234.50'],
  ['$12,345.50', '$12345.50'],
  ['$1,234,567.50', '$1234567.50'],
  [' $1.00 ', '$1.00'],
  ['$0.00', '$0.00'],
  ['£0.05', '£0.05'],
  ['$0.1', '$0.1'],
  ['-$5.00', '-$5.00'],
  ['€ 7', '€7'],
])('%s is %s', (text, shown) => {
  const money = parseMoney(text)
  expect(money && formatMoney(money)).toBe(shown)
})

it.each(['', 'free', '$', '1.2.3', '12,34', '$1e5', 'about $5 or so', '5%'])('%j is no amount', (text) => {
  expect(parseMoney(text)).toBeUndefined()
})

it("doesn't add different currencies", () => {
  const [dollars, pounds, nothing] = ['$1.00', '£1.00', '£0.00'].map((text) => parseMoney(text)!)
  expect(addMoney([dollars!, pounds!])).toBeUndefined()
  expect(addMoney([dollars!, nothing!])?.symbol).toBe('$')
})

describe('the sum of the costs of calls', () => {
  const formatSum = (...texts: string[]) => formatMoney(texts.reduce(addDecimal, noMoney))

  it.each([
    [['0.1', '0.2'], '0.3'],
    [['0', '0'], '0'],
    [[], '0'],
    [['1.50', '-0.125'], '1.375'],
    [['99999999999999999999.01', '0.09'], '99999999999999999999.10'],
    [['-0.5'], '-0.5'],
  ])('%o: %s', (texts, sum) => expect(formatSum(...texts)).toBe(sum))

  it('is the same in any order, and exact', () => {
    const decimals = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat({ max: 20 }))
    fc.assert(
      fc.property(fc.array(decimals), (all) => {
        const texts = all.map(([units, scale]) => formatMoney({ symbol: '', units, scale }))
        const sum = formatSum(...texts)
        expect(formatSum(...texts.toReversed())).toBe(sum)
        const exact = all.reduce((total, [units, scale]) => total + units * 10n ** BigInt(20 - scale), 0n)
        const [whole = '', fraction = ''] = sum.replace('-', '').split('.')
        const found = BigInt(whole + fraction.padEnd(20, '0'))
        expect(sum.startsWith('-') ? -found : found).toBe(exact)
      }),
    )
  })

  it("ignores text that isn't a decimal", () => {
    for (const text of ['', '1e3', '.5', '1.', '$1', '1,5']) expect(() => formatSum(text)).toThrow(RangeError)
  })
})
