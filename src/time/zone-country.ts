import type { Zone } from './types.ts'
import { isUtcOffset } from './wall-clock.ts'

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

/**
 * The country whose time it is: `GB` for `Europe/London` and its links; `undefined` for a fixed offset and for UTC.
 * @param countries those that may be it, by their ISO 3166 codes; always the same ones
 */
export function countryOf(zone: Zone, countries: readonly string[]): string | undefined {
  if (isUtcOffset(zone) || ofNoCountry.test(zone)) return undefined
  countriesByZone ??= byZone(countries)
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  return countriesByZone.get(timeZone)
}
