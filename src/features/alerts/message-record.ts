import type { AlertMessageRecord, OpenMessage } from '../../store/alerts.ts'

/** What a message says of calls, as its alert's row has it. */
export function contentOf(
  open: OpenMessage,
): Omit<AlertMessageRecord, 'tenant' | 'alertId' | 'channel' | 'ts' | 'taken' | 'done'> {
  const { ts: _ts, unshown: _unshown, shownAt: _shownAt, ...content } = open
  return content
}
