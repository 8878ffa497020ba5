import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineNames, matchLines, searchLines } from '../../src/telephony/lines.ts'
import { hasDigits, readDigits } from '../../src/telephony/phone-numbers.ts'
import { forAll } from '../support/properties.ts'

const digit = fc.constantFrom(...'0123456789')
const digits = (min: number, max: number) =>
  fc.array(digit, { minLength: min, maxLength: max }).map((all) => all.join(''))

/** An international number's digits: no country's code begins with 0. */
const international = fc
  .tuple(fc.constantFrom(...'123456789'), digits(7, 14))
  .map(([first, rest]) => first + rest)

const separator = fc.constantFrom('', '', ' ', '-', '.', ' - ', '\u00a0', '–', '‑', '/', '\u200e', '\u202c')
const prefix = fc.constantFrom('', '+', '00', '+ ', '\u202a+', '0 0')

/** Digits with any separators that people use, some of them in parentheses. */
const writeNumber = (number: string) =>
  fc
    .tuple(
      prefix,
      fc.array(separator, { minLength: number.length, maxLength: number.length }),
      fc.nat(),
      fc.nat(),
    )
    .map(([before, between, from, length]) => {
      const open = 1 + (from % (number.length - 3))
      const close = open + 2 + (length % (number.length - open - 2))
      const parts = [...number].map((one, at) => {
        const bracket = at === open ? '(' : ''
        return `${bracket}${one}${at === close ? ')' : ''}${between[at]}`
      })
      return before + parts.join('')
    })

const writings = (number: string) => fc.tuple(fc.constant(number), writeNumber(number), writeNumber(number))

describe('a number', () => {
  it('is found in any notation, with any notation of the service', () => {
    forAll(international.chain(writings), ([, asked, recorded]) => {
      expect(hasDigits(recorded, readDigits(asked) ?? 'nothing')).toBe(true)
    })
  })

  it("isn't found by other digits", () => {
    forAll(international, digits(4, 17), (number, asked) => {
      const rest = asked.replace(/^00?/, '')
      const isPart = number.includes(asked) || (rest.length >= 7 && number.includes(rest))
      expect(hasDigits(`+${number}`, asked)).toBe(isPart)
    })
  })

  it.each([
    ['+44 20 7946 0042', '+442079460042'],
    ['0044 20 7946 0042', '+442079460042'],
    ['+44 (0)20 7946-0042', '+442079460042'],
    ['(020) 7946 0042', '+442079460042'],
    ['020 7946 0042', '02079460042'],
    ['+442079460042', '0044 20 7946 0042'],
    ['4420794600', '+442079460042'],
    ['0042', '+442079460042'],
    ['７９４６ ００４２', '+442079460042'],
  ])('in the notation %s is %s', (asked, recorded) => {
    expect(hasDigits(recorded, readDigits(asked) ?? 'nothing')).toBe(true)
  })

  it.each([
    ['0042', '+442079460420'],
    // Leading zeros are significant.
    ['004207', '+442079460042'],
    ['442079460042', 'anonymous'],
    ['442079460042', ''],
  ])("%s doesn't match %s", (asked, recorded) => {
    expect(hasDigits(recorded, readDigits(asked) ?? 'nothing')).toBe(false)
  })

  it.each(['', 'abc', '+', '44x20', '12+34', '30 Nov 12', '#1234', '()'])('%j is none at all', (text) => {
    expect(readDigits(text)).toBeUndefined()
  })
})

describe('lines', () => {
  const sales = { number: '+493023125042', name: 'Sales Berlin' }
  const presales = { number: '+442079460042', name: 'Presales' }
  const short = { number: '1001', name: 'Desk 5042' }
  const names = new LineNames([presales, sales, short])

  it.each<[string, readonly object[]]>([
    ['+49 30 2312-5042', [sales]],
    ['0049 30 23125042', [sales]],
    ['1001', [short]],
    ['0042', [presales]],
    ['5042', [short]],
    ['+49 (0)40 1234567', [{ number: '+49401234567' }]],
    ['030 231 25043', [{ number: '03023125043' }]],
    ['9999', [{ number: '…9999' }]],
    ['*60', [{ number: '*60' }]],
    ['sip:sales@pbx2', [{ number: 'sip:sales@pbx2' }]],
    ['12', []],
  ])('%s', (text, found) => {
    expect(matchLines(names, text)).toMatchObject({ found, isClear: found.length === 1 })
  })

  it('are found by a word, the whole word first', () => {
    expect(matchLines(names, 'sales')).toMatchObject({ found: [sales, presales], isClear: true })
  })

  it('are searched by name and by parts of their numbers', () => {
    const numbers = ['+4989000111', ...names.lines.map(({ number }) => number)]
    expect(searchLines(numbers, names, 'sales')).toEqual([sales.number, presales.number])
    expect(searchLines(numbers, names, '0001')).toEqual(['+4989000111'])
    expect(searchLines(numbers, names, '')).toEqual(numbers)
  })
})
