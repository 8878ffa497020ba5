import { matchNames } from '../util/names.ts'
import { isBlank } from '../util/text.ts'
import { isUtcOffset, toUtcOffset, type Zone } from './zones.ts'

/** CLDR's outdated names, which the runtime uses, and abbreviations: it takes `EST` for Panama and `BST` for Dhaka. */
const CURRENT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'Africa/Asmera': 'Africa/Asmara',
    'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
    'America/Catamarca': 'America/Argentina/Catamarca',
    'America/Cordoba': 'America/Argentina/Cordoba',
    'America/Jujuy': 'America/Argentina/Jujuy',
    'America/Mendoza': 'America/Argentina/Mendoza',
    'America/Coral_Harbour': 'America/Atikokan',
    'America/Indianapolis': 'America/Indiana/Indianapolis',
    'America/Louisville': 'America/Kentucky/Louisville',
    'America/Godthab': 'America/Nuuk',
    'Asia/Calcutta': 'Asia/Kolkata',
    'Asia/Katmandu': 'Asia/Kathmandu',
    'Asia/Rangoon': 'Asia/Yangon',
    'Asia/Saigon': 'Asia/Ho_Chi_Minh',
    'Atlantic/Faeroe': 'Atlantic/Faroe',
    'Europe/Kiev': 'Europe/Kyiv',
    'Pacific/Enderbury': 'Pacific/Kanton',
    'Pacific/Ponape': 'Pacific/Pohnpei',
    'Pacific/Truk': 'Pacific/Chuuk',
    CET: 'CET',
    CEST: 'CET',
    EET: 'EET',
    EEST: 'EET',
    MET: 'MET',
    WET: 'WET',
    BST: 'Europe/London',
    EST: 'America/New_York',
    EDT: 'America/New_York',
    CST: 'America/Chicago',
    CDT: 'America/Chicago',
    MST: 'America/Denver',
    MDT: 'America/Denver',
    PST: 'America/Los_Angeles',
    PDT: 'America/Los_Angeles',
    HST: 'Pacific/Honolulu',
    JST: 'Asia/Tokyo',
  }),
)

const toCurrentName = (name: string): string => CURRENT_NAMES.get(name) ?? name

export const zoneNames: readonly string[] = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(toCurrentName).sort()]),
]

/** Names that people type, with the current name. */
const typedNames = [
  ...zoneNames.map((name) => ({ name, zone: name })),
  ...Array.from(CURRENT_NAMES, ([name, zone]) => ({ name, zone })),
]

const byLowerCase: ReadonlyMap<string, string> = new Map(
  typedNames.map(({ name, zone }) => [name.toLowerCase(), zone]),
)

const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT[+-]?0|Greenwich|Universal|Zulu)$/i
// '+05:30', '+0530', '-3', 'UTC+2', 'GMT -11:00', also with the typographic minus sign.
const FIXED = /^(?:UTC|GMT)?\s*([+\-−])(\d{1,2})(?::?([0-5]\d))?$/i
const OFFSET_LIMITS = { min: -12 * 60, max: 14 * 60 }

/** Accepts any case. Former names and links become the current name (`us/eastern` -> `America/New_York`). */
export function parseZone(text: string): Zone | undefined {
  const zone = findZone(text.trim())
  return zone !== undefined && isZone(zone) ? zone : undefined
}

function findZone(typed: string): string | undefined {
  if (UTC.test(typed)) return 'UTC'
  return fixedOffset(typed) ?? byLowerCase.get(typed.toLowerCase()) ?? findLink(typed)
}

const isZone = (name: string): name is Zone => isUtcOffset(name) || byLowerCase.has(name.toLowerCase())

function fixedOffset(text: string): string | undefined {
  const [, sign, hours, minutes = '0'] = FIXED.exec(text) ?? []
  if (hours === undefined) return undefined
  const total = (Number(hours) * 60 + Number(minutes)) * (sign === '+' ? 1 : -1)
  return total >= OFFSET_LIMITS.min && total <= OFFSET_LIMITS.max ? toUtcOffset(total) : undefined
}

/** Resolves IANA's links, which the runtime accepts but doesn't list. */
function findLink(name: string): string | undefined {
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
  const suggested = new Set<string>()
  if (exact) suggested.add(exact)
  for (const { zone } of exact ? found : [...found, ...similar]) suggested.add(zone)
  return [...suggested].slice(0, limit)
}

/** Created at the first use, which takes 50 ms. */
let countriesByZone: ReadonlyMap<string, string> | undefined

/** `GB` for `Europe/London`; `undefined` for a fixed offset and for UTC. @param countries always the same ones */
export function getCountry(zone: Zone, countries: readonly string[]): string | undefined {
  countriesByZone ??= mapCountries(countries)
  return countriesByZone.get(zone)
}

function mapCountries(countries: readonly string[]): ReadonlyMap<string, string> {
  const byZone = new Map<string, string>()
  for (const country of countries) {
    const names = new Intl.Locale(`und-${country}`).getTimeZones() ?? []
    for (const name of names) byZone.set(toCurrentName(name), country)
  }
  return byZone
}
