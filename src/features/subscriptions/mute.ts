import type { Muted } from '../../store/alerts.ts'
import { addDays } from '../../time/days.ts'
import { localDay, recentLabel, startOfDay, type Zone } from '../../time/zones.ts'
import { type EpochMs, hourMs } from '../../util/units.ts'

/** Menu entries that mute a subscription. */
export const muteTexts = {
  'mute-hour': 'Mute for an hour',
  'mute-day': 'Mute until tomorrow',
  mute: 'Mute until turned on',
} as const
export type MuteEntry = keyof typeof muteTexts

export function startMute(entry: MuteEntry, by: string, zone: Zone, now: EpochMs): Muted {
  switch (entry) {
    case 'mute-hour':
      return { by, until: now + hourMs }
    case 'mute-day':
      // Tomorrow begins later if the clocks change at midnight.
      return { by, until: startOfDay(zone, addDays(localDay(zone, new Date(now)), 1)).getTime() }
    case 'mute':
      return { by }
  }
}

/** `Muted until 10:15`, `Muted` */
export const mutedText = ({ until }: Muted, zone: Zone, now: EpochMs): string =>
  until === undefined ? 'Muted' : `Muted until ${recentLabel(zone, new Date(until), new Date(now))}`
