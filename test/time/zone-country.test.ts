import { getCountries } from 'libphonenumber-js/max'
import { expect, it } from 'vitest'
import { countryOf, parseZone, zoneNames } from '../../src/time/zone-names.ts'

const of = (name: string) => countryOf(parseZone(name)!, getCountries())

it.each([
  ['Europe/Berlin', 'DE'],
  ['europe/london', 'GB'],
  ['GB', 'GB'],
  ['US/Eastern', 'US'],
  ['Asia/Kolkata', 'IN'],
  ['Asia/Calcutta', 'IN'],
  ['Europe/Kyiv', 'UA'],
  ['America/Buenos_Aires', 'AR'],
  ['Japan', 'JP'],
  ['NZ', 'NZ'],
  ['PRC', 'CN'],
])('%s is the time of %s', (zone, country) => {
  expect(of(zone)).toBe(country)
})

it.each(['UTC', '+05:30', 'CET', 'EET', 'WET', 'MET', 'EST', 'EST5EDT', 'PST8PDT', 'Etc/GMT-3'])(
  '%s is the time of no single country',
  (zone) => {
    expect(of(zone)).toBeUndefined()
  },
)

it('knows the country of every zone with a country that gives out numbers', () => {
  const unknown = zoneNames().filter((name) => of(name) === undefined && !name.startsWith('Antarctica/'))
  const islands = [
    'Atlantic/South_Georgia',
    'Indian/Kerguelen',
    'Pacific/Midway',
    'Pacific/Pitcairn',
    'Pacific/Wake',
  ]
  expect(unknown).toEqual(['UTC', ...islands])
})
