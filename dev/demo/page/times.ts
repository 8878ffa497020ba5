/** `09:00`, in a person's time zone, as Slack shows it. */
export const timeLabel = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(at)

/** `Sunday 22 November` */
export const dayLabel = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone }).format(at)

/** `Sun 22 Nov, 09:00` */
export const dayTimeLabel = (at: Date, timeZone: string): string =>
  `${new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone }).format(at).replace(',', '')}, ${timeLabel(at, timeZone)}`

/** Of a message's `ts`. */
export const dateOf = (ts: string): Date => new Date(Number(ts) * 1000)
