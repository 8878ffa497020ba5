import fc from 'fast-check'
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, it } from 'vitest'
import { findNumbers } from '../../../src/features/calls/number-shortcut.ts'
import { hasDigits } from '../../../src/telephony/phone-numbers.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { anyCharacter, forRunsAsync } from '../../support/properties.ts'

const berlin = parseZone('Europe/Berlin')!
const message = (text: string, more: object = {}) => ({ text, ...more })
const found = async (text: string, more = {}) =>
  (await findNumbers(message(text, more), berlin)).map((one) => one.text)

/** A valid number of each country. */
const numbers = getCountries().flatMap((country) => getExampleNumber(country, examples) ?? [])

describe('the numbers in a message', () => {
  it('are found in any international notation, and so are their calls', async () => {
    const written = fc
      .tuple(
        fc.constantFrom(...numbers),
        fc.constantFrom('E.164', 'INTERNATIONAL', 'RFC3966', 'slack', 'dots', 'unseen'),
        fc.constantFrom('', 'call ', '> ', '*', '(', 'Tel.: ', 'missed 3 calls from '),
        fc.constantFrom('', ' please', '.', '*', ')', ', thanks!', '\nBen'),
      )
      .map(([number, form, before, after]) => {
        const international = number.formatInternational()
        const texts = {
          'E.164': number.number,
          INTERNATIONAL: international,
          RFC3966: number.getURI(),
          slack: `<tel:${number.number}|${international}>`,
          dots: international.replaceAll(' ', '.'),
          unseen: `\u202a${international.replaceAll(' ', '\u00a0')}\u202c`,
        }
        return { number, text: `${before}${texts[form as keyof typeof texts]}${after}` }
      })
    await forRunsAsync(500, written, async ({ number, text }) => {
      const [first, ...others] = await findNumbers(message(text), berlin)
      expect(others).toEqual([])
      expect(hasDigits(number.number, first?.digits ?? 'nothing')).toBe(true)
      expect(`+${first?.digits}`).toBe(number.number)
    })
  })

  it.each([
    ['030 23125042', ['+49 30 23125042']],
    ['(030) 2312-5042 und 0049 30 23125042', ['+49 30 23125042']],
    ['+44 20 7946 0042, +1 202 555 0142', ['+44 20 7946 0042', '+1 202 555 0142']],
    ['the *+44 20 7946 0042* one', ['+44 20 7946 0042']],
    ['<https://example.com/030/23125042|our page>', []],
    ['<@U03023125042> in <#C03023125042|support>', []],
    ['on 2026-11-05, host 192.168.17.23, message 1700000000.123456', []],
    ['ticket 4711, 12:30, $1,299.00', []],
    ['', []],
  ])('%s', async (text, expected) => {
    expect(await found(text)).toEqual(expected)
  })

  it('include those of attachments, and of blocks if the text is empty', async () => {
    const attachments = [
      { text: null, fields: [{ title: 'Caller', value: '+44 20 7946 0042' }] },
      { fallback: 'Voicemail of +1 202 555 0142' },
    ]
    expect(await found('New call', { attachments })).toEqual(['+44 20 7946 0042', '+1 202 555 0142'])
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'From +44 20 7946 0042' } }]
    expect(await found('New call', { blocks })).toEqual(['+44 20 7946 0042'])
    expect(await found('+1 202 555 0142', { blocks })).toEqual(['+1 202 555 0142'])
    expect(await found('New call', { attachments: 'none', blocks: {} })).toEqual([])
  })

  it('are those at the beginning of any text', async () => {
    expect(await found(`+44 20 7946 0042 ${'<'.repeat(1_000_000)}`)).toEqual(['+44 20 7946 0042'])
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '<'.repeat(1_000_000) } }]
    expect(await found('New call', { blocks })).toEqual([])
  })

  it('are the first ones of a message with many', async () => {
    // More of these short numbers than Slack allows buttons would fit the text that is searched.
    const many = Array.from({ length: 500 }, (_, n) => `+290 22${String(n).padStart(3, '0')}`)
    const all = await found(many.join(', '))
    expect(all.length).toBeGreaterThan(10)
    expect(all).toEqual(many.slice(0, all.length))
    expect(all.length).toBeLessThan(25)
  })

  it('are found in any message', { timeout: 20_000 }, async () => {
    const text = fc.string({ unit: anyCharacter })
    const anything = fc.record({ text, blocks: fc.anything(), attachments: fc.anything() })
    const property = fc.asyncProperty(anything, async (parts) => {
      const all = await findNumbers(message('', parts), berlin)
      expect(new Set(all.map(({ digits }) => digits)).size).toBe(all.length)
    })
    await fc.assert(property)
  })
})
