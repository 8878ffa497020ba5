import { z } from 'zod'
import { localDaySchema } from '../../grammar/filters.ts'
import { mutedSchema } from '../../store/alerts.ts'
import { type Database, TIME_INDEX_SUFFIX } from '../../store/engine/database.ts'
import { Rows } from '../../store/engine/rows.ts'
import { scopedKey, type TenantKey, tenantKey, tenantRecord } from '../../store/tenant.ts'
import { epochMs, timeOfDaySchema } from '../../store/workspaces.ts'
import type { EpochMs } from '../../util/units.ts'

/** Names in the middle of a sentence. */
export const rhythmTexts = {
  daily: 'every day',
  weekdays: 'Monday to Friday',
  'weekly 1': 'every Monday',
  'weekly 2': 'every Tuesday',
  'weekly 3': 'every Wednesday',
  'weekly 4': 'every Thursday',
  'weekly 5': 'every Friday',
  'weekly 6': 'every Saturday',
  'weekly 7': 'every Sunday',
  'monthly first': 'monthly on the first day',
  'monthly last': 'monthly on the last day',
  /** Each day that the service names as the next billing date. */
  'billing-date': 'each billing date',
} as const
export type Rhythm = keyof typeof rhythmTexts
export const WEEKLY_RHYTHMS = [
  'weekly 1',
  'weekly 2',
  'weekly 3',
  'weekly 4',
  'weekly 5',
  'weekly 6',
  'weekly 7',
] as const satisfies readonly Rhythm[]
const isRhythm = (text: string): text is Rhythm => Object.hasOwn(rhythmTexts, text)

/** Shown in a channel only if the person who posts ticks it. */
const billExtras = ['card', 'limit'] as const
export const billExtra = z.enum(billExtras)

/** A local day, which stays the same if the channel's time zone changes, and its instant. */
const slotSchema = z.strictObject({ day: localDaySchema, at: epochMs })
export type Slot = z.infer<typeof slotSchema>

const scheduleSchema = z.strictObject({
  id: z.string(),
  tenant: tenantRecord,
  channel: z.string(),
  /** Posts name this person. */
  owner: z.string(),
  muted: mutedSchema.optional(),
  rhythm: z.string().refine(isRhythm),
  /** In the channel's time zone. */
  time: timeOfDaySchema,
  /** The next post; none while the schedule is stopped, or muted until someone turns it on. */
  due: slotSchema.optional(),
  /** Next attempt after a temporary failure. */
  retryAt: epochMs.optional(),
  /** Day of the last post, stored before it is sent. No earlier day is planned again. */
  postedDay: localDaySchema.optional(),
  /** A permanent failure. `isAccount`: reconnecting the phone account fixes it. */
  stopped: z.strictObject({ why: z.string(), isAccount: z.boolean() }).optional(),
  /** The next billing date that the service named last. On the day itself it may name the one after. */
  billingDay: localDaySchema.optional(),
  /** The last posted bill: the service keeps no earlier ones. */
  postedBill: z.strictObject({ day: localDaySchema, total: z.string() }).optional(),
  /** Rows of a report's table. */
  by: z.enum(['line', 'agent', 'hour']).optional(),
  /** Shown in a billing post. */
  include: z.array(billExtra).optional(),
})
export type Schedule = z.infer<typeof scheduleSchema>
export type ScheduleDraft = Pick<Schedule, 'channel' | 'rhythm' | 'time' | 'by' | 'include'>

/** When the tick has to find the schedule. */
export const getDueTime = ({ due, retryAt }: Pick<Schedule, 'due' | 'retryAt'>): EpochMs | undefined =>
  due && (retryAt ?? due.at)

const indexRowSchema = z.strictObject({ tenant: tenantRecord, id: z.string() })
type DueRow = z.infer<typeof indexRowSchema> & { readonly key: string; readonly at: EpochMs }

const TIME_LENGTH = new Date(0).toISOString().length

/**
 * Schedules of one kind, with an index of their due times. An index row is written before its record, and rows that
 * contradict their record are dropped once their time has passed. Every method @throws {StoreError}.
 */
export class ScheduleRows extends Rows<Schedule> {
  readonly #database
  readonly #index

  constructor(database: Database, namespace: string) {
    super(database, namespace, scheduleSchema)
    this.#database = database
    this.#index = `${namespace}${TIME_INDEX_SUFFIX}`
  }

  override async set(tenant: TenantKey, id: string, schedule: Schedule): Promise<void> {
    await this.#addToIndex(schedule)
    await super.set(tenant, id, schedule)
  }

  override change(
    tenant: TenantKey,
    id: string,
    change: (schedule: Schedule) => Schedule | undefined | Promise<Schedule | undefined>,
  ): Promise<Schedule | undefined> {
    return super.change(tenant, id, async (schedule) => {
      const changed = await change(schedule)
      if (changed && getDueTime(changed) !== getDueTime(schedule)) await this.#addToIndex(changed)
      return changed
    })
  }

  /** Index rows up to `now`, earliest first. */
  async *findDue(now: EpochMs): AsyncGenerator<DueRow, void> {
    const namespace = this.#index
    for await (const { key, value } of this.#database.scan(namespace)) {
      const at = Date.parse(key.slice(0, TIME_LENGTH))
      if (at > now) return
      const row = this.#database.parse(indexRowSchema, { namespace, key }, value)
      if (row) yield { ...row, key, at }
    }
  }

  async dropDue({ key }: Pick<DueRow, 'key'>): Promise<void> {
    await this.#database.delete(this.#index, key)
  }

  async #addToIndex(schedule: Schedule): Promise<void> {
    const { tenant, id } = schedule
    const at = getDueTime(schedule)
    if (at === undefined) return
    const key = `${new Date(at).toISOString()}${scopedKey(tenantKey(tenant), id)}`
    await this.#database.set(this.#index, { key, value: JSON.stringify({ tenant, id }) })
  }
}
