import type { AlertRecord, ListSeen } from '../store/alerts.ts'
import type { MissedCall } from '../store/missed-calls.ts'
import type { TelephonyClient } from '../telephony/client.ts'
import { RequestRefusedError, TelephonyError } from '../telephony/errors.ts'
import { identityOf } from '../telephony/read-calls.ts'
import type { Account, Call } from '../telephony/types.ts'
import type { EpochMs } from '../util/units.ts'
import { type ListNews, readList } from './list-reader.ts'
import type { LookRange } from './ranges.ts'
import type { SeenDays } from './seen-days.ts'

/** The service's records name no agent: an alert for some of them asks for each one's. */
export const agentsOf = ({ agents }: Pick<AlertRecord, 'agents'>): readonly (string | undefined)[] =>
  agents.length === 0 ? [undefined] : agents.map(({ id }) => id)

/** What a list is known by among those that were seen. @param accountId stands for the account */
export const listName = (accountId: string, agentId: string | undefined): string =>
  agentId === undefined ? accountId : `${accountId} ${agentId}`

/** What one look at an account came to. */
export interface Look {
  /** By agent; without one, of all calls. */
  readonly news: ReadonlyMap<string | undefined, ListNews>
  /** What kept it from being complete. */
  readonly error?: TelephonyError | undefined
}

/** Reads what is new in each list that the alerts need. @throws the signal's reason */
export async function lookAt(
  telephony: TelephonyClient,
  account: Account,
  asked: {
    readonly alerts: readonly AlertRecord[]
    readonly range: LookRange
    readonly accountId: string
    /** How the lists looked last. */
    readonly lists: Readonly<Record<string, ListSeen>>
    /** Reads what was seen before. */
    readonly days: () => Promise<SeenDays>
  },
  signal: AbortSignal,
): Promise<Look> {
  const { alerts, range, accountId, lists, days } = asked
  const news = new Map<string | undefined, ListNews>()
  let failed: TelephonyError | undefined
  for (const agentId of new Set(alerts.flatMap(agentsOf))) {
    const name = listName(accountId, agentId)
    const list = { range, agentId, before: lists[name] }
    const seenBefore = async () => {
      const seen = await days()
      return (id: string) => seen.isSeen(name, id)
    }
    try {
      const one = await readList(telephony, account, list, seenBefore, signal)
      news.set(agentId, one)
      failed ??= one.error
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error
      failed ??= error
    }
    // An agent that is not there any more says nothing of the other lists.
    if (failed && !(failed instanceof RequestRefusedError)) break
  }
  return { news, error: failed }
}

/** A call that was missed, as an alert tells it; `undefined` for one that wasn't. @param unknownAt where its time can't be read */
export function toMissedCall(call: Call, unknownAt: EpochMs | undefined): MissedCall | undefined {
  const at = call.at instanceof Date ? call.at.getTime() : unknownAt
  if (call.status === 'answered' || at === undefined) return undefined
  return { id: identityOf(call).slice(0, 500), at, line: call.number.slice(0, 40) }
}
