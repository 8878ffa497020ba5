import { parseZone } from './parse-zone.ts'
import { otherZoneNames, zoneNames } from './zone-names.ts'

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
