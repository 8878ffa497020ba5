import leven from 'leven'
import { isUtcOffset, toUtcOffset, type Zone } from './zones.ts'

/** The runtime uses CLDR's names, some of which are outdated. */
const CURRENT_NAMES: ReadonlyMap<string, string> = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Godthab', 'America/Nuuk'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
])

/** Abbreviations that people type. The runtime takes `EST` for Panama and `BST` for Dhaka. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ...['CET', 'EET', 'MET', 'WET'].map((name) => [name, name] as const),
  ['CEST', 'CET'],
  ['EEST', 'EET'],
  ['BST', 'Europe/London'],
  ['EST', 'America/New_York'],
  ['EDT', 'America/New_York'],
  ['CST', 'America/Chicago'],
  ['CDT', 'America/Chicago'],
  ['MST', 'America/Denver'],
  ['MDT', 'America/Denver'],
  ['PST', 'America/Los_Angeles'],
  ['PDT', 'America/Los_Angeles'],
  ['HST', 'Pacific/Honolulu'],
  ['JST', 'Asia/Tokyo'],
])

const toCurrentName = (name: string): string => CURRENT_NAMES.get(name) ?? name

/** Every zone once, by its current name: `UTC`, then alphabetically. */
export const zoneNames: readonly string[] = [
  'UTC',
  ...new Set(
    Intl.supportedValuesOf('timeZone')
      .filter((name) => name !== 'UTC')
      .map(toCurrentName)
      .sort(),
  ),
]

const byLowerCase: ReadonlyMap<string, string> = new Map(
  [...CURRENT_NAMES, ...ALIASES, ...zoneNames.map((name) => [name, name] as const)].map(([typed, name]) => [
    typed.toLowerCase(),
    name,
  ]),
)

const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT[+-]?0|Greenwich|Universal|Zulu)$/i
// '+05:30', '+0530', '-3', 'UTC+2', 'GMT -11:00'; the minus sign may be the typographic one.
const FIXED = /^(?:UTC|GMT)?\s*([+\-−])(\d{1,2})(?::?([0-5]\d))?$/i
const EAST_LIMIT = 14 * 60
const WEST_LIMIT = 12 * 60

/**
 * Parses a zone's name in any case, an alias, or a fixed offset from -12:00 to +14:00. Former names and links become the
 * current name (`us/eastern` -> `America/New_York`).
 */
export function parseZone(text: string): Zone | undefined {
  const typed = text.trim()
  const zone = UTC.test(typed)
    ? 'UTC'
    : (fixedOffset(typed) ?? byLowerCase.get(typed.toLowerCase()) ?? findLink(typed))
  return zone !== undefined && isZone(zone) ? zone : undefined
}

const isZone = (name: string): name is Zone => isUtcOffset(name) || byLowerCase.has(name.toLowerCase())

function fixedOffset(text: string): string | undefined {
  const [, sign, hours, minutes = '0'] = FIXED.exec(text) ?? []
  if (hours === undefined) return undefined
  const total = Number(hours) * 60 + Number(minutes)
  if (sign === '+') return total <= EAST_LIMIT ? toUtcOffset(total) : undefined
  return total <= WEST_LIMIT ? toUtcOffset(-total) : undefined
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
const MIN_CORRECTED_LENGTH = 5

/**
 * Suggests zones, best first: the exact one, cities that start with the text, then names that contain it. If none
 * do, cities with similar names (`Europe/Berln` -> `Europe/Berlin`).
 */
export function suggestZones(text: string, limit: number): readonly string[] {
  const exact = parseZone(text)
  const query = normalizeName(text.trim().slice(0, MAX_TEXT_LENGTH))
  const names = findZones(query)
  const best = names.length > 0 || exact ? names : findMisspelled(query)
  return [...new Set(exact ? [exact, ...best] : best)].slice(0, Math.max(0, limit))
}

function findZones(query: string): readonly string[] {
  const searched = [...zoneNames.map((name) => [name, name] as const), ...CURRENT_NAMES]
  const byRank = Map.groupBy(searched, ([name]) => rank(normalizeName(name), query))
  return [0, 1, 2, 3].flatMap((place) => (byRank.get(place) ?? []).map(([, zone]) => zone))
}

function rank(name: string, query: string): number {
  const city = getCity(name)
  if (city.startsWith(query)) return 0
  if (city.includes(` ${query}`)) return 1
  if (name.startsWith(query)) return 2
  return name.includes(query) ? 3 : 4
}

const getCity = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** Allows for one or two typing errors after the first letter: other cities have similar names. */
function findMisspelled(query: string): readonly string[] {
  const city = getCity(query)
  if (city.length < MIN_CORRECTED_LENGTH) return []
  const maxErrors = city.length < 6 ? 1 : 2
  return zoneNames.filter((name) => {
    const candidate = getCity(normalizeName(name))
    // leven returns `maxDistance` for everything beyond it.
    const errors = leven(city, candidate, { maxDistance: maxErrors + 1 })
    return candidate[0] === city[0] && errors <= maxErrors
  })
}

/** `São Paulo` and `Sao_Paulo` are the same. */
function normalizeName(text: string): string {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '')
  return letters.toLowerCase().replace(/[\s_]+/g, ' ')
}

/** Countries by the runtime's names of zones. Created at the first use, which takes 50 ms. */
let countriesByZone: ReadonlyMap<string, string> | undefined

/** `GB` for `Europe/London`; `undefined` for a fixed offset and for UTC. @param countries always the same ones */
export function getCountry(zone: Zone, countries: readonly string[]): string | undefined {
  if (isUtcOffset(zone) || ALIASES.get(zone) === zone) return undefined
  countriesByZone ??= new Map(
    countries.flatMap((country) =>
      (new Intl.Locale(`und-${country}`).getTimeZones() ?? []).map((name) => [name, country] as const),
    ),
  )
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  return countriesByZone.get(timeZone)
}
