declare const brand: unique symbol

/** A day of the calendar with no zone attached, `YYYY-MM-DD`. Made by `parseDay` and the day arithmetic alone. */
export type LocalDay = string & { readonly [brand]: 'LocalDay' }

/** A zone that this runtime knows: an IANA name in its canonical spelling, or a fixed offset `±HH:MM`. Made by `parseZone` alone. */
export type Zone = string & { readonly [brand]: 'Zone' }

/** `±HH:MM`, as the service's `timezone` parameter takes it. */
export type UtcOffset = string & { readonly [brand]: 'UtcOffset' }

/** Both days included. */
export interface DayRange {
  readonly from: LocalDay
  readonly to: LocalDay
}
