import type { AlertMessageRecord, AlertRecord, OpenMessage } from '../../store/alerts.ts'

/** What a message says of calls, as its alert's row has it. */
export function contentOf(
  open: OpenMessage,
): Omit<AlertMessageRecord, keyof ReturnType<typeof originOf> | 'ts' | 'taken' | 'done'> {
  const { ts: _ts, unshown: _unshown, shownAt: _shownAt, ...content } = open
  return content
}

/** Which alert's it is, and of which line or agent, where the alert is for one alone. */
export function originOf({
  id,
  tenant,
  channel,
  lines,
  agents,
}: AlertRecord): Pick<AlertMessageRecord, 'tenant' | 'alertId' | 'channel' | 'line' | 'agent'> {
  const line = lines.length === 1 ? lines[0] : undefined
  const agent = agents.length === 1 ? agents[0] : undefined
  return { tenant, alertId: id, channel, line, agent }
}
