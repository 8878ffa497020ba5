import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { isPersonId } from '../util/mentions.ts'
import type { EpochMs } from '../util/units.ts'
import { type MissedCall, missedCallSchema } from './alerts.ts'
import type { Rows } from './engine/rows.ts'
import type { TenantKey } from './tenant.ts'
import { epochMsSchema, ISO_TIME_LENGTH } from './times.ts'

const attributionSchema = z.strictObject({ person: z.string(), name: z.string(), at: epochMsSchema })
export type Attribution = z.infer<typeof attributionSchema>

const shownInSchema = z.strictObject({
  /** Id of the alert's message. */
  message: z.string(),
  channel: z.string(),
  /** When Slack confirmed it. */
  at: epochMsSchema,
})

/** One state, whichever messages show the call. */
export const missedCallRecordSchema = z.strictObject({
  ...missedCallSchema.shape,
  /** One message for each conversation. Until the first one is confirmed, nothing counts the call. */
  shownIn: z.array(shownInSchema),
  taken: attributionSchema
    .extend({
      /** Name of the person who assigned it. */
      assignedBy: z.string().optional(),
      /** Who had it before it was assigned. */
      before: attributionSchema.optional(),
    })
    .optional(),
  /** Set while a released call waits for someone else. `before` had taken it. */
  released: attributionSchema.extend({ before: attributionSchema }).optional(),
  done: attributionSchema.optional(),
})
export type MissedCallRecord = z.infer<typeof missedCallRecordSchema>

/** Starts with the time, so that rows sort by time. Calls may share an id of the service. */
export const toMissedCallId = ({ at, id, line }: MissedCall): string =>
  `${new Date(at).toISOString()}-${id}-${line}`

export const getCallTime = (id: string): number => Date.parse(id.slice(0, ISO_TIME_LENGTH))
export const withoutTime = (id: string): string => id.slice(ISO_TIME_LENGTH)

export const isWaiting = ({ taken, done }: Pick<MissedCallRecord, 'taken' | 'done'>): boolean =>
  !taken && !done

/** A person who finishes a call also takes it, unless someone has taken it before. */
export const getTaken = ({ taken, done }: Pick<MissedCallRecord, 'taken' | 'done'>) => taken ?? done

/** When the first message with the call was confirmed. */
export const getPostedAt = ({ shownIn }: MissedCallRecord): EpochMs | undefined => shownIn[0]?.at

/** False for a call that only direct messages show: it is private. */
export const isShownInChannel = ({ shownIn }: MissedCallRecord): boolean =>
  shownIn.some(({ channel }) => !isPersonId(channel))

export const isShownTo = ({ shownIn }: MissedCallRecord, person: string): boolean =>
  shownIn.some(({ channel }) => channel === person || !isPersonId(channel))

const BATCH_SIZE = 25

/** SQLite answers at once, so nothing else would run without the turns of the event loop between batches. */
export async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    if (start > 0) await nextTurn()
    const batch = items.slice(start, start + BATCH_SIZE)
    results.push(...(await Promise.all(batch.map(work))))
  }
  return results
}

/** Reads the calls from `start` until before `end`, oldest first. Ids of calls at `start` go on after the time. */
export async function* scanMissedCalls(
  rows: Pick<Rows<MissedCallRecord>, 'scanAfter'>,
  tenant: TenantKey,
  { start, end = Infinity }: { readonly start: number; readonly end?: number },
): AsyncGenerator<MissedCallRecord, void> {
  for await (const record of rows.scanAfter(tenant, new Date(start).toISOString())) {
    if (record.at >= end) return
    yield record
  }
}
