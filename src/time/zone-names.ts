import { tzOffset } from '@date-fns/tz/tzOffset'
import { isUtcOffset, toUtcOffset } from './offsets.ts'
import type { Zone } from './types.ts'

// The runtime lists zones under CLDR's names, some of which IANA and the people who live there gave up long ago.
const CURRENT_NAMES = new Map(
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
  }),
)

// IANA's links, from the files `etcetera` and `backward`: valid, in use, and listed by no runtime.
const LINKS = `
  Africa/Timbuktu America/Argentina/ComodRivadavia America/Atka America/Ensenada America/Fort_Wayne
  America/Knox_IN America/Montreal America/Nipigon America/Pangnirtung America/Porto_Acre America/Rainy_River
  America/Rosario America/Santa_Isabel America/Shiprock America/Thunder_Bay America/Virgin America/Yellowknife
  Antarctica/South_Pole Asia/Ashkhabad Asia/Choibalsan Asia/Chongqing Asia/Chungking Asia/Dacca Asia/Harbin
  Asia/Istanbul Asia/Kashgar Asia/Macao Asia/Tel_Aviv Asia/Thimbu Asia/Ujung_Pandang Asia/Ulan_Bator
  Atlantic/Jan_Mayen Australia/ACT Australia/Canberra Australia/Currie Australia/LHI Australia/NSW
  Australia/North Australia/Queensland Australia/South Australia/Tasmania Australia/Victoria Australia/West
  Australia/Yancowinna Brazil/Acre Brazil/DeNoronha Brazil/East Brazil/West Canada/Atlantic Canada/Central
  Canada/Eastern Canada/Mountain Canada/Newfoundland Canada/Pacific Canada/Saskatchewan Canada/Yukon
  Chile/Continental Chile/EasterIsland Europe/Belfast Europe/Nicosia Europe/Tiraspol Europe/Uzhgorod
  Europe/Zaporozhye Mexico/BajaNorte Mexico/BajaSur Mexico/General Pacific/Johnston Pacific/Samoa Pacific/Yap
  US/Alaska US/Aleutian US/Arizona US/Central US/East-Indiana US/Eastern US/Hawaii US/Indiana-Starke
  US/Michigan US/Mountain US/Pacific US/Samoa
  Cuba Egypt Eire GB GB-Eire Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya NZ NZ-CHAT Navajo
  Poland Portugal PRC ROC ROK Singapore Turkey W-SU
  CET CST6CDT EET EST EST5EDT HST MET MST MST7MDT PST8PDT WET
  Etc/GMT+1 Etc/GMT+2 Etc/GMT+3 Etc/GMT+4 Etc/GMT+5 Etc/GMT+6 Etc/GMT+7 Etc/GMT+8 Etc/GMT+9
  Etc/GMT+10 Etc/GMT+11 Etc/GMT+12 Etc/GMT-1 Etc/GMT-2 Etc/GMT-3 Etc/GMT-4 Etc/GMT-5 Etc/GMT-6
  Etc/GMT-7 Etc/GMT-8 Etc/GMT-9 Etc/GMT-10 Etc/GMT-11 Etc/GMT-12 Etc/GMT-13 Etc/GMT-14`

/** Every zone once, under its current name: `UTC`, then the rest in the order of the alphabet. */
export const zoneNames = once((): readonly string[] => {
  const names = Intl.supportedValuesOf('timeZone').map((name) => CURRENT_NAMES.get(name) ?? name)
  return ['UTC', ...new Set(names.filter((name) => name !== 'UTC').sort())]
})

/** The valid names that `zoneNames` leaves out: former ones, links such as `US/Eastern` and `CET`. */
export const otherZoneNames = once((): readonly string[] => {
  const currentNames = new Set(zoneNames())
  const rest = [...CURRENT_NAMES.keys(), ...LINKS.trim().split(/\s+/)]
  return rest.filter((name) => !currentNames.has(name))
})

const spellings = once(
  () => new Map([...otherZoneNames(), ...zoneNames()].map((name) => [name.toLowerCase(), name] as const)),
)

const usualSpelling = (name: string): string | undefined => spellings().get(name.toLowerCase())

function once<T extends object>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT[+-]?0|Greenwich|Universal|Zulu)$/i
// '+05:30', '+0530', '-3', 'UTC+2', 'GMT -11:00'; the minus sign may be the typographic one.
const FIXED = /^(?:UTC|GMT)?\s*([+\-−])(\d{1,2})(?::?([0-5]\d))?$/i
const EAST_LIMIT = 14 * 60
const WEST_LIMIT = 12 * 60

/**
 * An IANA name in any case, in its usual spelling (`utc` -> `UTC`, `us/eastern` -> `US/Eastern`; former
 * names are kept), or a fixed offset from -12:00 to +14:00 as `±HH:MM`. Abbreviations that are no IANA
 * names are `undefined`: the runtime takes `BST` for the time of Dhaka, where most people mean London's.
 */
export function parseZone(text: string): Zone | undefined {
  const trimmed = text.trim()
  const zone = UTC.test(trimmed) ? 'UTC' : (fixedOffset(trimmed) ?? usualSpelling(trimmed))
  return zone !== undefined && isZone(zone) ? zone : undefined
}

function fixedOffset(text: string): string | undefined {
  const [, sign, hours, minutes = '0'] = FIXED.exec(text) ?? []
  if (hours === undefined) return undefined
  const total = Number(hours) * 60 + Number(minutes)
  if (sign === '+') return total <= EAST_LIMIT ? toUtcOffset(total) : undefined
  return total <= WEST_LIMIT ? toUtcOffset(-total) : undefined
}

// By name; the table of names bounds it.
const inRuntime = new Map<string, boolean>()

// A runtime may carry older zone data than the table of names.
function isZone(text: string): text is Zone {
  if (isUtcOffset(text)) return true
  const isInRuntime = inRuntime.get(text) ?? !Number.isNaN(tzOffset(text, new Date(0)))
  inRuntime.set(text, isInRuntime)
  return isInRuntime
}

const LONGEST_TEXT = 40
const SHORTEST_STEM = 3

/**
 * Names that `parseZone` takes, best first: what `text` means as it stands, then cities that start with it, then
 * names that hold it; former names after current ones. Where nothing holds it, the beginning of its last part
 * is looked for instead (`Europe/Berln` -> `Europe/Berlin`). An empty text gives the first names of the list.
 */
export function suggestZones(text: string, limit: number): readonly string[] {
  const exact = parseZone(text)
  const query = plain(text.trim().slice(0, LONGEST_TEXT))
  const names = matches(query)
  const best = names.length > 0 || exact ? names : nearMatches(query)
  return [...new Set(exact ? [exact, ...best] : best)].slice(0, Math.max(0, limit))
}

function matches(query: string): readonly string[] {
  const ranked = [zoneNames(), otherZoneNames()].map((names) => {
    const byRank = Map.groupBy(names, (name) => rank(plain(name), query))
    return [0, 1, 2, 3].map((place) => byRank.get(place) ?? [])
  })
  return ranked.flat(2)
}

function rank(name: string, query: string): number {
  const city = name.slice(name.lastIndexOf('/') + 1)
  if (city.startsWith(query)) return 0
  if (city.includes(` ${query}`)) return 1
  if (name.startsWith(query)) return 2
  return name.includes(query) ? 3 : 4
}

function nearMatches(query: string): readonly string[] {
  const city = query.slice(query.lastIndexOf('/') + 1)
  for (let length = city.length; length >= SHORTEST_STEM; length--) {
    const names = matches(city.slice(0, length))
    if (names.length > 0) return names
  }
  return []
}

/** `São Paulo` and `Sao_Paulo` are the same. */
function plain(text: string): string {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '')
  return letters.toLowerCase().replace(/[\s_]+/g, ' ')
}

/** Times that have names of their own: IANA links them to some place, where few of those are who use them. */
const ofNoCountry = /^(?:UTC|CET|EET|MET|WET|EST|MST|HST|(?:EST|CST|MST|PST)\d\wDT|Etc\/.*)$/

/** By the runtime's own names of zones. Made at the first use, since that takes 50 ms. */
let countriesByZone: ReadonlyMap<string, string> | undefined

const byZone = (countries: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    countries.flatMap((country) =>
      (new Intl.Locale(`und-${country}`).getTimeZones() ?? []).map((zone) => [zone, country] as const),
    ),
  )

/** `GB` for `Europe/London` and its links; `undefined` for a fixed offset and for UTC. @param countries always the same ones */
export function countryOf(zone: Zone, countries: readonly string[]): string | undefined {
  if (isUtcOffset(zone) || ofNoCountry.test(zone)) return undefined
  countriesByZone ??= byZone(countries)
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  return countriesByZone.get(timeZone)
}
