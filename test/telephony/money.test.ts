import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addMoney, formatMoney, parseMoney } from '../../src/telephony/money.ts'
import { forAll } from '../support/properties.ts'

const cents = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
const written = (amount: bigint, symbol: string) => formatMoney({ symbol, units: amount, scale: 2 })

it('parses every amount that it formats', () => {
  forAll(cents, fc.constantFrom('$', '£', '€', '', 'CHF', 'kr'), (amount, symbol) => {
    expect(parseMoney(written(amount, symbol))).toEqual({ symbol, units: amount, scale: 2 })
  })
})

it('adds exactly, in any order, with any number of decimals', () => {
  forAll(fc.array(fc.tuple(cents, fc.integer({ min: 0, max: 6 })), { minLength: 1 }), (parts) => {
    const amounts = parts.map(([units, scale]) => ({ symbol: '$', units, scale }))
    const sum = addMoney(amounts)
    const exact = parts.reduce((total, [units, scale]) => total + units * 10n ** BigInt(6 - scale), 0n)
    expect(sum && sum.units * 10n ** BigInt(6 - sum.scale)).toBe(exact)
    expect(addMoney(amounts.toReversed())?.units).toBe(sum?.units)
    expect(sum && addMoney([sum, { ...sum, units: -sum.units }])?.units).toBe(0n)
  })
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
  ['Rs. 149.00', 'Rs.149.00'],
  ['Rs 1,49,000.50', 'Rs149000.50'],
  ['₹1,00,149.00', '₹100149.00'],
  ['12,34,56,789', '123456789'],
  ['12345678901234567890.123456789', '12345678901234567890.123456789'],
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
