import { z } from 'zod'
import { localDaySchema } from '../../query/filters/day-filters.ts'
import { mutedSchema } from '../../store/alerts.ts'
import type { Database } from '../../store/engine/database.ts'
import { Rows } from '../../store/engine/rows.ts'
import { TIME_INDEX_SUFFIX } from '../../store/engine/sql.ts'
import { scopedKey, tenantKey, workspaceSchema } from '../../store/tenant.ts'
import { epochMsSchema, ISO_TIME_LENGTH, timeOfDaySchema } from '../../store/times.ts'
import type { EpochMs } from '../../util/units.ts'

/** Texts for a form or a sentence, and posting days as the last fields of a cron expression, in which 7 is Sunday. */
export const allRhythms = {
  daily: { text: 'every day', dayFields: '* * *' },
  weekdays: { text: 'Monday to Friday', dayFields: '* * 1-5' },
  'weekly 1': { text: 'every Monday', dayFields: '* * 1' },
  'weekly 2': { text: 'every Tuesday', dayFields: '* * 2' },
  'weekly 3': { text: 'every Wednesday', dayFields: '* * 3' },
  'weekly 4': { text: 'every Thursday', dayFields: '* * 4' },
  'weekly 5': { text: 'every Friday', dayFields: '* * 5' },
  'weekly 6': { text: 'every Saturday', dayFields: '* * 6' },
  'weekly 7': { text: 'every Sunday', dayFields: '* * 7' },
  'monthly first': { text: 'monthly on the first day', dayFields: '1 * *' },
  'monthly last': { text: 'monthly on the last day', dayFields: 'L * *' },
  // Only the service knows billing dates, so it is asked every day.
  'billing-date': { text: 'each billing date', dayFields: '* * *' },
} as const
export type Rhythm = keyof typeof allRhythms
const isRhythm = (text: string): text is Rhythm => Object.hasOwn(allRhythms, text)
export const WEEKLY_RHYTHMS = Object.keys(allRhythms).filter(
  (rhythm): rhythm is Extract<Rhythm, `weekly ${string}`> => rhythm.startsWith('weekly '),
)

/** Details that a bill contains only if they were ticked. */
export const billExtraSchema = z.enum(['card', 'limit'])

/** The day stays the same if the channel's time zone changes. */
const slotSchema = z.strictObject({ day: localDaySchema, at: epochMsSchema })
export type Slot = z.infer<typeof slotSchema>

/** Figures as a post showed them: the service keeps no earlier bills. */
const postedBillSchema = z.strictObject({
  day: localDaySchema,
  total: z.string(),
  items: z.array(z.strictObject({ name: z.string(), amount: z.string() })),
})
export type PostedBill = z.infer<typeof postedBillSchema>

const scheduleSchema = z.strictObject({
  id: z.string(),
  workspace: workspaceSchema,
  channel: z.string(),
  /** Posts name this person. */
  owner: z.string(),
  muted: mutedSchema.optional(),
  rhythm: z.string().refine(isRhythm),
  /** In the channel's time zone. */
  time: timeOfDaySchema,
  /** Undefined while the schedule is stopped, or muted until someone turns it on. */
  due: slotSchema.optional(),
  retryAt: epochMsSchema.optional(),
  /** Day of the last post, stored before it is sent. No earlier day is planned again. */
  postedDay: localDaySchema.optional(),
  /** A permanent failure. */
  stopped: z.object({ why: z.string() }).optional(),
  /** The next billing date that the service named last. On the day itself it may name the one after. */
  billingDay: localDaySchema.optional(),
  /** The last posted bill of this account in this channel. */
  postedBill: postedBillSchema.optional(),
  /** Groups the calls of a report. */
  by: z.enum(['line', 'agent', 'hour']).optional(),
  include: z.array(billExtraSchema).optional(),
})
export type Schedule = z.infer<typeof scheduleSchema>
export type ScheduleOptions = Pick<Schedule, 'rhythm' | 'time' | 'by' | 'include'>

/** Returns when the schedule is due or tried again; undefined if it isn't planned. */
export const getDueTime = ({ due, retryAt }: Pick<Schedule, 'due' | 'retryAt'>): EpochMs | undefined =>
  due && (retryAt ?? due.at)

const indexRowSchema = z.strictObject({ workspace: workspaceSchema, id: z.string() })
type IndexRow = z.infer<typeof indexRowSchema> & { readonly key: string; readonly at: EpochMs }

/**
 * Schedules, and an index by their due times. An index row is written before its record, so no due time is lost. A row
 * whose record has got another due time stays until it is due, and is dropped then. Every method @throws {StoreError}.
 */
export class ScheduleRows extends Rows<Schedule> {
  readonly #database
  readonly #index

  constructor(database: Database, namespace: string) {
    super(database, namespace, scheduleSchema)
    this.#database = database
    this.#index = `${namespace}${TIME_INDEX_SUFFIX}`
  }

  protected override async beforeWrite(schedule: Schedule, before?: Schedule): Promise<void> {
    const { workspace, id } = schedule
    const at = getDueTime(schedule)
    const isIndexed = before !== undefined && getDueTime(before) === at
    if (at === undefined || isIndexed) return
    const key = `${new Date(at).toISOString()}${scopedKey(tenantKey(workspace), id)}`
    await this.#database.set(this.#index, { key, value: JSON.stringify({ workspace, id }) })
  }

  /** Yields the index rows until now, the earliest first. */
  async *findDue(now: EpochMs): AsyncGenerator<IndexRow, void> {
    const namespace = this.#index
    for await (const { key, value } of this.#database.scan(namespace)) {
      const at = Date.parse(key.slice(0, ISO_TIME_LENGTH))
      if (at > now) return
      const row = this.#database.parse(indexRowSchema, { namespace, key }, value)
      if (row) yield { ...row, key, at }
    }
  }

  async dropDue(key: string): Promise<void> {
    await this.#database.delete(this.#index, key)
  }
}
