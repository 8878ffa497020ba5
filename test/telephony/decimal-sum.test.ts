import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DecimalSum, formatMoney } from '../../src/telephony/money.ts'

const sumOf = (...texts: string[]) => {
  const sum = new DecimalSum()
  for (const text of texts) sum.add(text)
  return formatMoney(sum.money)
}

it.each([
  [['0.1', '0.2'], '0.3'],
  [['0', '0'], '0'],
  [[], '0'],
  [['1.50', '-0.125'], '1.375'],
  [['99999999999999999999.01', '0.09'], '99999999999999999999.10'],
  [['-0.5'], '-0.5'],
])('%o: %s', (texts, sum) => expect(sumOf(...texts)).toBe(sum))

it('is the same in any order, and exact', () => {
  const decimals = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat({ max: 20 }))
  fc.assert(
    fc.property(fc.array(decimals), (all) => {
      const texts = all.map(([units, scale]) => formatMoney({ symbol: '', units, scale }))
      const sum = sumOf(...texts)
      expect(sumOf(...texts.toReversed())).toBe(sum)
      const exact = all.reduce((total, [units, scale]) => total + units * 10n ** BigInt(20 - scale), 0n)
      const [whole = '', fraction = ''] = sum.replace('-', '').split('.')
      const found = BigInt(whole + fraction.padEnd(20, '0'))
      expect(sum.startsWith('-') ? -found : found).toBe(exact)
    }),
  )
})

it('takes nothing that is no decimal', () => {
  for (const text of ['', '1e3', '.5', '1.', '$1', '1,5']) expect(() => sumOf(text)).toThrow(RangeError)
})
