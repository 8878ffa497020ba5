import type { ScanProgress } from '../../telephony/types.ts'
import { numberText } from '../../util/text.ts'
import type { Milliseconds } from '../../util/units.ts'

/** `2,500` for 2,544: two digits say enough. */
function roughly(count: number): string {
  const unit = 10 ** Math.max(0, String(count).length - 2)
  return numberText(Math.round(count / unit) * unit)
}

/** `3`, `10`, `15`: seconds, by fives from ten on. */
function secondsText(ms: Milliseconds): string {
  const seconds = Math.ceil(ms / 1000)
  return String(seconds < 10 ? seconds : Math.round(seconds / 5) * 5)
}

/**
 * What a reading says once that takes its time. It stays where it is: nothing can replace what a command posted.
 * @param otherwise what is shown where there is no time for all of it
 */
export function readingText(
  total: number | undefined,
  expectedMs: Milliseconds,
  readForMs: Milliseconds,
  otherwise = "what I've found",
): string {
  const calls = total === undefined ? 'all calls of these days' : `about ${roughly(total)} calls`
  if (expectedMs < readForMs) return `Reading ${calls}, ${secondsText(expectedMs)} s or so.`
  return `Reading ${calls}. That takes a while, so I'll show ${otherwise} after ${secondsText(readForMs)} s.`
}

const places = 12

/** How far a reading is, in a modal: a bar and its figures. */
export function progressText({ records, total }: Pick<ScanProgress, 'records' | 'total'>): string {
  const read = numberText(records)
  if (total === undefined) return `Read ${read} calls so far…`
  const filled = Math.min(places, Math.floor((records / Math.max(1, total)) * places))
  return `\`${'█'.repeat(filled)}${'░'.repeat(places - filled)}\` Read ${read} of ${numberText(total)} calls…`
}
