import type { AlertMessageRecord, OpenMessage } from '../../store/alerts.ts'
import type { Milliseconds } from '../../util/units.ts'

/** A report may go back so far, and tells how many of them were taken. */
export const MESSAGES_KEPT_MS: Milliseconds = 100 * 24 * 60 * 60_000

/** What a message says of calls, as its alert's row has it. */
export function contentOf(
  open: OpenMessage,
): Omit<AlertMessageRecord, 'tenant' | 'alertId' | 'channel' | 'ts' | 'taken' | 'done'> {
  const { ts: _ts, unshown: _unshown, shownAt: _shownAt, ...content } = open
  return content
}
