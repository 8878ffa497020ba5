import { parseDay } from '../../../src/time/days.ts'
import type { LocalDay, Zone } from '../../../src/time/types.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { zoneLabel } from '../../../src/time/zones.ts'

// Where and when the samples play: one workspace on a Thursday. All of it is invented.

/** @throws {RangeError} */
export function day(text: string): LocalDay {
  const parsed = parseDay(text)
  if (parsed === undefined) throw new RangeError(`${text} is no day`)
  return parsed
}

/** @throws {RangeError} */
export function zoneOf(text: string): Zone {
  const parsed = parseZone(text)
  if (parsed === undefined) throw new RangeError(`${text} is no zone`)
  return parsed
}

export const team = { enterpriseId: undefined, teamId: 'T0LARKFIELD' }
/** An admin. */
export const ada = 'U0ADA'
export const adaName = 'Ada Marsh'
export const ben = 'U0BEN'
export const support = 'C0SUPPORT'
export const finance = 'C0FINANCE'

/** The names of those ids. */
export const directory = {
  people: [
    { id: ada, name: adaName },
    { id: ben, name: 'Ben Okoro' },
  ],
  channels: [
    { id: support, name: 'support' },
    { id: finance, name: 'finance' },
  ],
}

export const now = new Date('2026-11-05T14:32:10Z')
export const today = day('2026-11-05')
export const zone = zoneOf('Europe/Berlin')
export const zoneText = zoneLabel(zone, now)
/** Makes block ids fresh; here nothing is replaced. */
export const nonce = 'gallery'

/** The instant so many hours from then. */
export const inHours = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000)
