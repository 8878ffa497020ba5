import { ALERT_MESSAGES_KEPT_MS, type AlertMessageRecord } from '../../store/alerts.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { TenantRows } from '../../store/tenant-rows.ts'
import { durationText } from '../../time/labels.ts'
import { numberText } from '../../util/text.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { AlertFigures, ReportPlan } from './report.ts'

/** @param values in any order */
function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return middle.length === 0 ? undefined : middle.reduce((sum, one) => sum + one, 0) / middle.length
}

/**
 * Counts the messages of alerts on missed calls. They are of several lines, and say no agent: where a report is of one, or
 * of no incoming calls, there are none to count.
 * @returns `undefined` where there are none @throws {StoreError}
 */
export async function countAlerts(
  messages: Pick<TenantRows<AlertMessageRecord>, 'from'>,
  tenant: TenantKey,
  { query, directions, period, instant }: Pick<ReportPlan, 'query' | 'directions' | 'period' | 'instant'>,
): Promise<AlertFigures | undefined> {
  if (!directions.includes('incoming') || query.line !== undefined || query.agentId !== undefined)
    return undefined
  let sent = 0
  const waits: Milliseconds[] = []
  for await (const message of messages.from(tenant, new Date(period.start).toISOString())) {
    const { openedAt, taken, done } = message
    if (openedAt >= period.end) break
    sent += 1
    const act = taken ?? done
    // What was done after the reading isn't in it, as no later call is.
    if (act && act.at <= instant.getTime()) waits.push(Math.max(0, act.at - openedAt))
  }
  const isPartial = instant.getTime() - period.start > ALERT_MESSAGES_KEPT_MS
  return sent === 0 ? undefined : { sent, taken: waits.length, medianMs: medianOf(waits), isPartial }
}

const keptDays = ALERT_MESSAGES_KEPT_MS / (24 * 60 * 60_000)

/** `Alerts: 12 of 15 taken, after 4 min (median)` */
export function alertFiguresText({ sent, taken, medianMs, isPartial }: AlertFigures): string {
  const what = isPartial ? `Alerts of the last ${keptDays} days` : 'Alerts'
  if (medianMs === undefined)
    return sent === 1 ? `${what}: 1, not taken` : `${what}: ${numberText(sent)}, none taken`
  const median = taken === 1 ? '' : ' (median)'
  return `${what}: ${numberText(taken)} of ${numberText(sent)} taken, after ${durationText(medianMs)}${median}`
}
