import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallQuery } from '../../src/telephony/types.ts'
import * as wire from '../../src/telephony/wire.ts'
import { parseDay } from '../../src/time/days.ts'
import { toUtcOffset } from '../../src/time/zones.ts'
import { anyCharacter, forAll } from '../support/properties.ts'

const berlin = toUtcOffset(60)

function expectNothingLost(one: unknown, other: unknown) {
  const fields = ['id', 'Date Time', 'Duration', 'Status', 'Cost', 'Recording', 'DID number', 'Answered']
  const record = Object.fromEntries(fields.map((field, n) => [field, n % 2 ? one : other]))
  const nested = { plan: one, addon: { did: [other], crm: one } }
  for (const given of [one, record, { plan: one, addon: other }, nested]) {
    expect(wire.toCall(given, 'incoming', berlin).direction).toBe('incoming')
    expect(typeof wire.toAgent(given).name).toBe('string')
    expect(typeof wire.toBilling(given).plan.name).toBe('string')
    expect(typeof wire.toInvoice(given).amount).toBe('string')
  }
}

test('keeps every record, with any content', () => {
  // Includes unpaired surrogates.
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
  const value = fc.oneof(fc.jsonValue(), fc.string({ unit }))
  forAll(value, value, expectNothingLost)
})

test('converts a call', () => {
  const record = {
    id: '7',
    'Dialed Number': '+4930901820',
    'DID number': 'not of this direction',
    'Date Time': '2026-11-05 12:13:14 AM',
    Duration: '100:00:01',
    Status: 'ANSWERED',
    Cost: '0.10',
    Recording: 'download_file.php?filename=a%20b.wav&filetype=callrecording',
    Surprise: 'ignored',
  }
  expect(wire.toCall(record, 'outgoing', berlin)).toEqual({
    id: '7',
    direction: 'outgoing',
    number: '+4930901820',
    at: new Date('2026-11-04T23:13:14Z'),
    seconds: 360_001,
    status: 'answered',
    cost: '0.10',
    recording: record.Recording,
    answered: '',
  })
})

test('keeps the `Answered` field of an incoming call unchanged, even if it is empty or no text', () => {
  const answered = (Answered?: unknown) => wire.toCall({ Answered }, 'incoming', berlin).answered
  expect(['larkfield-1001', '', 1, undefined].map(answered)).toEqual(['larkfield-1001', '', '1', ''])
})

test("never truncates values that aren't displayed", () => {
  const long = 'x'.repeat(5000)
  const agent = wire.toAgent({ sip_password: 12_345, webphone: long, sip_login: long })
  expect(agent).toMatchObject({ sipPassword: '12345', webphone: long, sipLogin: long })
  expect(wire.toInvoice({ invoice_url: long }).url).toBe(long)
  const name = encodeURIComponent(`${'Ж'.repeat(400)}.mp3`)
  const Recording = `download_file.php?filename=${name}&filetype=callrecording`
  expect(wire.toCall({ Recording }, 'incoming', berlin).recording).toBe(Recording)
  const { recording } = wire.toCall({ Recording: long }, 'incoming', berlin)
  expect(recording).toEqual({ raw: `${'x'.repeat(200)}…` })
})

const utc = toUtcOffset(0)

/** Formats a time like the service: a 12-hour clock that is `minutes` ahead of UTC. */
function serviceTime(at: Date, minutes: number): string {
  const wall = new Date(at.getTime() + minutes * 60_000)
  const [day = '', time = ''] = wall.toISOString().split('T')
  const hour = wall.getUTCHours()
  const clock = String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, '0')
  return `${day} ${clock}${time.slice(2, 8)} ${hour < 12 ? 'AM' : 'PM'}`
}

test('parses the 12-hour time of any instant and offset', () => {
  const seconds = fc.integer({ min: Date.UTC(1990, 0, 2) / 1000, max: Date.UTC(2199, 11, 30) / 1000 })
  const minutes = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
  forAll(seconds, minutes, (second, minute) => {
    const at = new Date(second * 1000)
    expect(wire.parseTime(serviceTime(at, minute), toUtcOffset(minute))).toEqual(at)
  })
})

test('12 AM is midnight and 12 PM noon, in any case', () => {
  expect(wire.parseTime('2026-11-05 12:00:01 AM', utc)).toEqual(new Date('2026-11-05T00:00:01Z'))
  expect(wire.parseTime('2026-11-05 12:00:01 PM', utc)).toEqual(new Date('2026-11-05T12:00:01Z'))
  expect(wire.parseTime('2026-11-05 01:00:00 pm', utc)).toEqual(new Date('2026-11-05T13:00:00Z'))
  expect(wire.parseTime('2026-11-05 01:00:00 Am', utc)).toEqual(new Date('2026-11-05T01:00:00Z'))
})

test('accepts the whole day of a query at every offset', () => {
  const day = parseDay('2026-11-05')
  const window = wire.toTimeWindow({ from: day, to: day })
  for (const minute of [-12 * 60, 14 * 60])
    for (const clock of ['12:00:00 AM', '11:59:59 PM'])
      expect(wire.parseTime(`${day} ${clock}`, toUtcOffset(minute), window)).toBeInstanceOf(Date)
})

test.each([
  '2026-11-05 00:30:00 AM',
  '2026-11-05 13:00:00 PM',
  '2026-11-05 14:00:00',
  '2026-11-05 1:00:00 PM',
  '2026-11-05 01:60:00 PM',
  '2026-02-30 01:00:00 PM',
  '2026-13-01 01:00:00 PM',
  '0099-11-05 01:00:00 PM',
  '2026-11-05 01:00:00 PM ',
  ' 2026-11-05 01:00:00 PM',
  '0000-00-00 00:00:00',
  '',
])('keeps the time %j unchanged', (text) => {
  expect(wire.parseTime(text, utc)).toEqual({ raw: text })
})

test('a duration is in seconds, and hours may have more than two digits', () => {
  expect(wire.parseDuration('00:03:25')).toBe(205)
  const parts = [fc.nat(999_999), fc.nat(59), fc.nat(59)] as const
  forAll(...parts, (hours, minutes, seconds) => {
    const text = [hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':')
    expect(wire.parseDuration(text)).toBe(hours * 3600 + minutes * 60 + seconds)
  })
  for (const text of ['3:25', '00:60:00', '00:00:60', '-1:00:00', '', '00:01:05.5', '1000000:00:00'])
    expect(wire.parseDuration(text)).toEqual({ raw: text })
})

test('keeps the exact text of a cost', () => {
  for (const text of ['0', '0.10', '007.50', '-0.5', '12345678901234567890.123456789'])
    expect(wire.parseCost(text)).toBe(text)
  expect(wire.parseCost(0.25)).toBe('0.25')
  for (const text of ['', '.5', '5.', '1,50', '€1', '1e5', '+1', ' 1', 'NaN'])
    expect(wire.parseCost(text)).toEqual({ raw: text })
})

test('parses statuses, flags, days and totals, or keeps their raw text', () => {
  expect([wire.parseStatus('ANSWERED'), wire.parseStatus('NOTANSWERED')]).toEqual(['answered', 'missed'])
  for (const text of ['answered', ' Answered ', 'ANSWERED']) expect(wire.parseStatus(text)).toBe('answered')
  for (const text of ['NOT ANSWERED', 'not answered', 'Not_Answered', 'NO ANSWER', 'notanswered\t'])
    expect(wire.parseStatus(text)).toBe('missed')
  for (const text of ['BUSY', 'FAILED', '', 'constructor'])
    expect(wire.parseStatus(text)).toEqual({ raw: text })
  expect([wire.parseFlag('enabled'), wire.parseFlag('disabled')]).toEqual([true, false])
  expect(wire.parseFlag('yes')).toEqual({ raw: 'yes' })
  expect(wire.parseDate('2026-11-05')).toBe('2026-11-05')
  expect(wire.parseDate('2026-02-30')).toEqual({ raw: '2026-02-30' })
  expect([wire.parseTotal('0'), wire.parseTotal('4511'), wire.parseTotal(7)]).toEqual([0, 4511, 7])
  for (const total of ['', '-1', '1.5', 'many', '9'.repeat(16), null, undefined, [3], -1, 1.5])
    expect(wire.parseTotal(total)).toBeUndefined()
})

test('truncates displayed values', () => {
  expect(wire.displayText('x'.repeat(200))).toBe('x'.repeat(200))
  expect(wire.displayText('x'.repeat(5000))).toBe(`${'x'.repeat(200)}…`)
  expect(wire.displayText(`${'x'.repeat(199)}😀y`)).toBe(`${'x'.repeat(199)}…`)
  expect(wire.displayText('a\ud800b')).toBe('a\ufffdb')
})

test('a blank recording is none, and one with any encoded file name is kept', () => {
  expect([wire.parseRecording(''), wire.parseRecording(undefined)]).toEqual([undefined, undefined])
  const files = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 100 })
    .filter((s) => s.isWellFormed())
  forAll(files, (file) => {
    const path = `download_file.php?filename=${encodeURIComponent(file)}&filetype=callrecording`
    expect(wire.parseRecording(path)).toBe(path)
  })
})

test.each([
  'rec-1.mp3',
  'download_file.php?filename=&filetype=callrecording',
  'download_file.php?filename=a.mp3',
  'download_file.php?filename=a.mp3&filetype=voicemail',
  'download_file.php?filename=a&b.mp3&filetype=callrecording',
  'download_file.php?filename=a b.mp3&filetype=callrecording',
  'download_file.php?filename=é.mp3&filetype=callrecording',
  'download_file.php?filename=100%.mp3&filetype=callrecording',
  'download_file.php?filename=a#b.mp3&filetype=callrecording',
  'https://elsewhere.example/download_file.php?filename=a.mp3&filetype=callrecording',
])('keeps the recording %j unchanged, without a link', (text) => {
  expect(wire.parseRecording(text)).toEqual({ raw: text })
  expect(wire.recordingUrl('https://example.com/', wire.parseRecording(text)!)).toBeUndefined()
})

test.each([
  'download_file.php?filename=a+b.mp3&filetype=callrecording',
  'download_file.php?filename=caf%E9.mp3&filetype=callrecording',
  'download_file.php?filename=2026/11/a:b.mp3&filetype=callrecording',
  `download_file.php?filename=${'a+'.repeat(200)}.mp3&filetype=callrecording`,
])('links to %s as the service wrote it, below the base URL', (path) => {
  for (const base of ['https://example.com/files', 'https://example.com/files/'])
    expect(wire.recordingUrl(base, wire.parseRecording(path)!)).toBe(`https://example.com/files/${path}`)
})

const query: CallQuery = { direction: 'incoming', offset: toUtcOffset(330), page: 1 }

test('pages count from 0 for outgoing calls and from 1 for incoming ones', () => {
  forAll(fc.integer({ min: 1 }), (page) => {
    expect(wire.toParameters({ ...query, direction: 'outgoing', page })['page']).toBe(String(page - 1))
    expect(wire.toParameters({ ...query, direction: 'incoming', page })['page']).toBe(String(page))
  })
})

test.each([0, -1, 1.5, Number.NaN])('there is no page %d', (page) => {
  expect(() => wire.toParameters({ ...query, page })).toThrow(RangeError)
})

test("filters are sent with the service's names, and only if they are set", () => {
  const from = parseDay('2026-11-05')
  const to = parseDay('2026-11-30')
  const parameters = { timezone: '+05:30', from: '05-11-2026', to: '30-11-2026', agentid: '7', page: '1' }
  const send = (status: CallQuery['status']) =>
    wire.toParameters({ ...query, from, to, agentId: '7', status })
  expect(send('answered')).toEqual({ ...parameters, status: 'Answered' })
  expect(send('missed')).toEqual({ ...parameters, status: 'Not Answered' })
  const unfiltered = wire.toQueryString({ key: 'k', ...wire.toParameters(query) })
  expect(unfiltered).toBe('key=k&timezone=%2B05%3A30&page=1')
})

test('encodes keys, secrets and values with any characters', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('&', '+', '=', ' ', '%', '#', '?', '/', 'ü', '😀') }),
  )
  forAll(text, text, text, (key, secret, customer_id) => {
    const sent = { key, secret, customer_id }
    const { searchParams } = new URL(`http://service/?${wire.toQueryString(sent)}`)
    expect([...searchParams]).toEqual(Object.entries(sent))
  })
})
