import { matchNames } from '../util/names.ts'
import { isBlank } from '../util/text.ts'
import { isUtcOffset, toUtcOffset, type Zone } from './zones.ts'

/**
 * Names of zones besides the current one: outdated names, which the runtime lists, and abbreviations, of which it takes `EST` for
 * Panama and `BST` for Dhaka. `CET`, `EET`, `MET` and `WET` name themselves, because the runtime doesn't list them.
 */
const OTHER_NAMES = {
  UTC: 'GMT GMT0 UCT Greenwich Universal Zulu',
  CET: 'CET CEST',
  EET: 'EET EEST',
  MET: 'MET',
  WET: 'WET',
  'Africa/Asmara': 'Africa/Asmera',
  'America/Argentina/Buenos_Aires': 'America/Buenos_Aires',
  'America/Argentina/Catamarca': 'America/Catamarca',
  'America/Argentina/Cordoba': 'America/Cordoba',
  'America/Argentina/Jujuy': 'America/Jujuy',
  'America/Argentina/Mendoza': 'America/Mendoza',
  'America/Atikokan': 'America/Coral_Harbour',
  'America/Chicago': 'CST CDT',
  'America/Denver': 'MST MDT',
  'America/Indiana/Indianapolis': 'America/Indianapolis',
  'America/Kentucky/Louisville': 'America/Louisville',
  'America/Los_Angeles': 'PST PDT',
  'America/New_York': 'EST EDT',
  'America/Nuuk': 'America/Godthab',
  'Asia/Ho_Chi_Minh': 'Asia/Saigon',
  'Asia/Kathmandu': 'Asia/Katmandu',
  'Asia/Kolkata': 'Asia/Calcutta',
  'Asia/Tokyo': 'JST',
  'Asia/Yangon': 'Asia/Rangoon',
  'Atlantic/Faroe': 'Atlantic/Faeroe',
  'Europe/Kyiv': 'Europe/Kiev',
  'Europe/London': 'BST',
  'Pacific/Chuuk': 'Pacific/Truk',
  'Pacific/Honolulu': 'HST',
  'Pacific/Kanton': 'Pacific/Enderbury',
  'Pacific/Pohnpei': 'Pacific/Ponape',
}

const currentNames = new Map<string, string>()
for (const [zone, names] of Object.entries(OTHER_NAMES))
  for (const name of names.split(' ')) currentNames.set(name, zone)

const toCurrentName = (name: string): string => currentNames.get(name) ?? name

const listedNames = Intl.supportedValuesOf('timeZone').map(toCurrentName).sort()

/** Names to suggest, without abbreviations. */
export const zoneNames: readonly string[] = [...new Set(['UTC', ...listedNames])]

/** Names that people type, with the current name. */
const typedNames = [
  ...zoneNames.map((name) => ({ name, zone: name })),
  ...Array.from(currentNames, ([name, zone]) => ({ name, zone })),
]

const zonesByLowerName = new Map(typedNames.map(({ name, zone }) => [name.toLowerCase(), zone]))

// '+05:30', '+0530', '-3', 'UTC+2', 'GMT -11:00', also with the typographic minus sign.
const FIXED_OFFSET = /^(?:UTC|GMT)?\s*([+\-−])(\d{1,2})(?::?([0-5]\d))?$/i
const MIN_OFFSET_MINUTES = -12 * 60
const MAX_OFFSET_MINUTES = 14 * 60

/** Accepts any case. Former names and links become the current name (`us/eastern` -> `America/New_York`). */
export function parseZone(text: string): Zone | undefined {
  const typed = text.trim()
  const zone = parseFixedOffset(typed) ?? zonesByLowerName.get(typed.toLowerCase()) ?? resolveLink(typed)
  // A link may lead to a zone that isn't listed, such as `Etc/GMT+5`.
  return zone !== undefined && isZone(zone) ? zone : undefined
}

const isZone = (name: string): name is Zone => isUtcOffset(name) || zonesByLowerName.has(name.toLowerCase())

function parseFixedOffset(text: string): string | undefined {
  const [, sign, hours, minutes = '0'] = FIXED_OFFSET.exec(text) ?? []
  if (hours === undefined) return undefined
  const size = Number(hours) * 60 + Number(minutes)
  const total = sign === '+' ? size : -size
  if (total < MIN_OFFSET_MINUTES || total > MAX_OFFSET_MINUTES) return undefined
  return toUtcOffset(total)
}

/** Resolves IANA's links, which the runtime accepts but doesn't list. */
function resolveLink(name: string): string | undefined {
  // Without a slash, it may be an abbreviation, of which the runtime misreads some.
  if (!/^[a-z]+(\/[\w+-]+)+$/i.test(name)) return undefined
  try {
    return toCurrentName(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone)
  } catch {
    return undefined
  }
}

const MAX_TEXT_LENGTH = 40

/** Returns the best suggestion first; if no name has the words, those with similar words (`Europe/Berln`). */
export function suggestZones(text: string, limit: number): readonly string[] {
  if (isBlank(text)) return zoneNames.slice(0, limit)
  const { found, similar } = matchNames(typedNames, text.slice(0, MAX_TEXT_LENGTH))
  const exact = parseZone(text)
  const suggested = [...found, ...similar].map(({ zone }) => zone)
  if (exact) suggested.unshift(exact)
  return [...new Set(suggested)].slice(0, limit)
}

/** Maps zones to their countries: `Europe/London` to `GB`. UTC and fixed offsets have none. Takes 50 ms for all countries. */
export function mapCountries<Country extends string>(countries: readonly Country[]) {
  const countriesByZone = new Map<string, Country>()
  for (const country of countries) {
    const names = new Intl.Locale(`und-${country}`).getTimeZones() ?? []
    for (const name of names) countriesByZone.set(toCurrentName(name), country)
  }
  return countriesByZone
}
