import fc from 'fast-check'
import { getCountries } from 'libphonenumber-js/max'
import { describe, expect, it } from 'vitest'
import { mapCountries, parseZone, suggestZones, zoneNames } from '../../src/time/zone-names.ts'
import { parseOffset, toUtcOffset } from '../../src/time/zones.ts'
import { forAll } from '../support/properties.ts'

describe('parseZone', () => {
  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
    ['antarctica/dumontdurville', 'Antarctica/DumontDUrville'],
    ['asia/calcutta', 'Asia/Kolkata'],
    ['us/eastern', 'America/New_York'],
    ['australia/lhi', 'Australia/Lord_Howe'],
    ['cest', 'CET'],
    ['EST', 'America/New_York'],
    ['BST', 'Europe/London'],
    ['GMT', 'UTC'],
    ['zulu', 'UTC'],
    ['-3', '-03:00'],
    ['−3', '-03:00'],
    ['+5:45', '+05:45'],
    ['utc +2', '+02:00'],
    ['-00:00', '+00:00'],
  ])('reads %s as %s', (text, zone) => {
    expect(parseZone(text)).toBe(zone)
  })

  it.each([
    ...['', '+', '5', '05:30', '+14:01', '-12:01', '+05:60', '+5:3', '+05:30:00', 'CET+1', 'Etc/GMT+5'],
    ...['Europe/Berln', 'Berlin', 'Europe', 'Europe/', '/', 'default', 'localtime', 'Factory', 'IST'],
    ...['SystemV/AST4', 'Etc/Unknown', '__proto__', '<!channel>', 'Europe/Berlin\u0000'],
  ])("doesn't parse %j as a zone", (text) => {
    expect(parseZone(text)).toBeUndefined()
  })

  it('accepts every notation of an offset, from -12:00 to +14:00', () => {
    forAll(fc.integer({ min: -1000, max: 1000 }), (minutes) => {
      const offset = toUtcOffset(minutes)
      const expected = minutes >= -720 && minutes <= 840 ? offset : undefined
      expect(parseOffset(offset)).toBe(minutes)
      for (const text of [offset, offset.replace(':', ''), `UTC${offset}`, `gmt ${offset}`]) {
        expect(parseZone(text)).toBe(expected)
      }
    })
  })

  it('never throws, and parses its own results unchanged', () => {
    const nearly = fc.array(fc.constantFrom(...'UTC GMT /+-−:0123456789'), { maxLength: 8 })
    const text = fc.oneof(
      fc.string(),
      nearly.map((letters) => letters.join('')),
    )
    forAll(text, (any) => {
      const zone = parseZone(any)
      if (zone !== undefined) expect(parseZone(zone)).toBe(zone)
    })
  })
})

it('zoneNames lists each zone once by its current name, UTC first', () => {
  const names = [...zoneNames]
  expect(names[0]).toBe('UTC')
  expect(new Set(names).size).toBe(names.length)
  const resolve = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  expect(new Set(names.map(resolve))).toEqual(new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]))
  expect(names).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv']))
  expect(names).not.toContain('Europe/Kiev')
})

describe('suggestZones', () => {
  it.each([
    ['berlin', ['Europe/Berlin']],
    ['New York', ['America/New_York']],
    ['São p', ['America/Sao_Paulo']],
    ['kolkata', ['Asia/Kolkata']],
    ['UTC+2', ['+02:00']],
    ['europe/berln', ['Europe/Berlin']],
    ['lon', ['Europe/London', 'Arctic/Longyearbyen']],
    ['bst', ['Europe/London']],
    ['xyzzy', []],
    ['Madird', ['Europe/Madrid', 'Atlantic/Madeira']],
    ['Cologne', []],
  ])('%j brings %j first', (text, expected) => {
    expect(suggestZones(text, expected.length || 5).toSorted()).toEqual(expected.toSorted())
  })

  it('lists names with a word that starts with the text first, then the rest', () => {
    expect(suggestZones('gal', 10)).toEqual([
      'America/Argentina/Rio_Gallegos',
      'Pacific/Galapagos',
      'Africa/Kigali',
      'America/Tegucigalpa',
    ])
  })

  it('respects the limit, starts with the list for no text, and returns only valid zones', () => {
    expect(suggestZones('', 5)).toEqual(zoneNames.slice(0, 5))
    expect(suggestZones('x'.repeat(1_000_000), 5)).toEqual([])
    forAll(fc.string({ maxLength: 6 }), fc.nat({ max: 20 }), (text, limit) => {
      const found = suggestZones(text, limit)
      expect(found.length).toBeLessThanOrEqual(limit)
      for (const name of found) expect(parseZone(name)).toBe(name)
    })
  })
})

describe('mapCountries', () => {
  const countries = mapCountries(getCountries())
  const of = (name: string) => countries.get(parseZone(name)!)

  it.each([
    ['europe/london', 'GB'],
    ['Asia/Calcutta', 'IN'],
    ['America/Buenos_Aires', 'AR'],
    ['+05:30', undefined],
    ['CET', undefined],
  ])('%s is the time of %s', (zone, country) => {
    expect(of(zone)).toBe(country)
  })

  it('knows the country of every zone with telephone numbers', () => {
    const unknown = zoneNames.filter((name) => of(name) === undefined && !name.startsWith('Antarctica/'))
    const islands = ['Pacific/Midway', 'Pacific/Pitcairn', 'Pacific/Wake']
    expect(unknown).toEqual(['UTC', 'Atlantic/South_Georgia', 'Indian/Kerguelen', ...islands])
  })
})
