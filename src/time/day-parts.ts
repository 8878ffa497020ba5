import { wallTime, type Zone } from './zones.ts'

export const dayParts = ['morning', 'afternoon', 'evening'] as const
export type DayPart = (typeof dayParts)[number]

/** Local times; `to` is excluded. */
const HOURS: Readonly<Record<DayPart, { readonly from: string; readonly to: string }>> = {
  morning: { from: '00:00', to: '12:00' },
  afternoon: { from: '12:00', to: '18:00' },
  evening: { from: '18:00', to: '24:00' },
}

/** `00:00 to 12:00` */
export const dayPartText = (part: DayPart): string => `${HOURS[part].from} to ${HOURS[part].to}`

export function isInDayPart(part: DayPart, at: Date, zone: Zone): boolean {
  const time = wallTime(zone, at).slice(11, 16)
  return time >= HOURS[part].from && time < HOURS[part].to
}
