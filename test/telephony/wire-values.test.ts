import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  displayText,
  parseCost,
  parseDate,
  parseDateTime,
  parseDuration,
  parseFlag,
  parseStatus,
  parseTotal,
} from '../../src/telephony/wire.ts'
import { toUtcOffset, utcOffset } from '../../src/time/offsets.ts'

const utc = utcOffset('+00:00')

/** What the service writes: a 12-hour clock that is `minutes` ahead of UTC. */
function serviceTime(at: Date, minutes: number): string {
  const wall = new Date(at.getTime() + minutes * 60_000)
  const [day = '', time = ''] = wall.toISOString().split('T')
  const hour = wall.getUTCHours()
  const clock = String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, '0')
  return `${day} ${clock}${time.slice(2, 8)} ${hour < 12 ? 'AM' : 'PM'}`
}

test('every instant comes back from the 12-hour text of every offset', () => {
  const seconds = fc.integer({ min: Date.UTC(1970, 0, 2) / 1000, max: Date.UTC(2199, 11, 30) / 1000 })
  const minutes = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
  fc.assert(
    fc.property(seconds, minutes, (second, minute) => {
      const at = new Date(second * 1000)
      expect(parseDateTime(serviceTime(at, minute), toUtcOffset(minute))).toEqual(at)
    }),
  )
})

test('12 AM is midnight and 12 PM noon, in any case of the letters', () => {
  expect(parseDateTime('2026-11-05 12:00:01 AM', utc)).toEqual(new Date('2026-11-05T00:00:01Z'))
  expect(parseDateTime('2026-11-05 12:00:01 PM', utc)).toEqual(new Date('2026-11-05T12:00:01Z'))
  expect(parseDateTime('2026-11-05 01:00:00 pm', utc)).toEqual(new Date('2026-11-05T13:00:00Z'))
  expect(parseDateTime('2026-11-05 01:00:00 Am', utc)).toEqual(new Date('2026-11-05T01:00:00Z'))
})

test.each([
  '2026-11-05 00:30:00 AM',
  '2026-11-05 13:00:00 PM',
  '2026-11-05 14:00:00',
  '2026-11-05 1:00:00 PM',
  '2026-11-05 01:60:00 PM',
  '2026-02-30 01:00:00 PM',
  '2026-13-01 01:00:00 PM',
  '2026-11-05 01:00:00 PM ',
  ' 2026-11-05 01:00:00 PM',
  '0000-00-00 00:00:00',
  '',
])('the time %j is kept as it came', (text) => {
  expect(parseDateTime(text, utc)).toEqual({ raw: text })
})

test('a duration is in seconds, and hours may have more than two digits', () => {
  expect(parseDuration('00:03:25')).toBe(205)
  const parts = [fc.nat(999_999), fc.nat(59), fc.nat(59)] as const
  fc.assert(
    fc.property(...parts, (hours, minutes, seconds) => {
      const text = [hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':')
      expect(parseDuration(text)).toBe(hours * 3600 + minutes * 60 + seconds)
    }),
  )
  for (const text of [
    '3:25',
    '00:60:00',
    '00:00:60',
    '-1:00:00',
    '',
    '00:01:05.5',
    'x00:01:05',
    '1000000:00:00',
  ]) {
    expect(parseDuration(text)).toEqual({ raw: text })
  }
  expect(parseDuration(65)).toEqual({ raw: '65' })
})

test('a cost is kept to the letter', () => {
  for (const text of ['0', '0.10', '007.50', '-0.5', '12345678901234567890.123456789']) {
    expect(parseCost(text)).toBe(text)
  }
  expect(parseCost(0.25)).toBe('0.25')
  for (const text of ['', '.5', '5.', '1,50', '€1', '1e5', '+1', ' 1', 'NaN']) {
    expect(parseCost(text)).toEqual({ raw: text })
  }
})

test('a status, a flag, a day and a total are read, or kept as they came', () => {
  expect([parseStatus('ANSWERED'), parseStatus('NOTANSWERED')]).toEqual(['answered', 'missed'])
  expect(parseStatus('BUSY')).toEqual({ raw: 'BUSY' })
  expect([parseFlag('enabled'), parseFlag('disabled')]).toEqual([true, false])
  expect(parseFlag('yes')).toEqual({ raw: 'yes' })
  expect(parseDate('2026-11-05')).toBe('2026-11-05')
  expect(parseDate('2026-02-30')).toEqual({ raw: '2026-02-30' })
  expect([parseTotal('0'), parseTotal('4511'), parseTotal(7)]).toEqual([0, 4511, 7])
  for (const total of ['', '-1', '1.5', 'many', '9'.repeat(16), null, undefined, [3], -1, 1.5]) {
    expect(parseTotal(total)).toBeUndefined()
  }
})

test('what is displayed is cut at a sane length, and never within a character', () => {
  expect(displayText('x'.repeat(200))).toBe('x'.repeat(200))
  expect(displayText('x'.repeat(5000))).toBe(`${'x'.repeat(200)}…`)
  expect(displayText(`${'x'.repeat(199)}😀y`)).toBe(`${'x'.repeat(199)}…`)
  expect(displayText('a\ud800b')).toBe('a\ufffdb')
})

test('nested values that are too deep to be written out are no error', () => {
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  expect(parseDateTime(deep, utc)).toEqual({ raw: '[…]' })
})
