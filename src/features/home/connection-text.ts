import { outcomeClause } from '../../slack/answers/outcome-texts.ts'
import { escapeText } from '../../slack/blocks/blocks.ts'
import type { ConnectionRecord } from '../../store/workspaces.ts'
import { recentLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import type { EpochMs } from '../../util/units.ts'

type ConnectionFailure = NonNullable<ConnectionRecord['lastFailure']>

/** How the account that is connected answers. */
export interface Connection {
  /** A key and secret are stored once the service has answered them. */
  readonly connectedAt: EpochMs
  readonly record: ConnectionRecord | undefined
}

const lastAnswer = ({ connectedAt, record }: Connection): EpochMs =>
  Math.max(connectedAt, record?.lastSuccess ?? 0)

/** What went wrong since the service last answered, if anything did. */
export function currentFailure(connection: Connection): ConnectionFailure | undefined {
  const failure = connection.record?.lastFailure
  return failure !== undefined && failure.at > lastAnswer(connection) ? failure : undefined
}

/** `HTTP 503`, and in words where those say more. */
function kindOf({ outcome, status }: ConnectionFailure): string {
  const words = status !== undefined && outcome === 'status' ? [] : [outcomeClause(outcome)]
  return [...(status === undefined ? [] : [`HTTP ${status}`]), ...words].join(', ')
}

/** `✓ Connected · answered 14:07`, in mrkdwn. */
export function connectionText(connection: Connection, zone: Zone, now: Date): string {
  const at = (ms: EpochMs) => recentLabel(zone, new Date(ms), now)
  const answered = at(lastAnswer(connection))
  const failure = currentFailure(connection)
  return failure
    ? `⚠ Phone service failed ${at(failure.at)}: ${escapeText(kindOf(failure))} · last answered ${answered}`
    : `✓ Connected · answered ${answered}`
}
