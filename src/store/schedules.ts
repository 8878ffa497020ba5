import { z } from 'zod'
import { parseDay } from '../time/days.ts'
import type { LocalDay } from '../time/types.ts'
import { type Backend, type Row, scan } from './backend.ts'
import type { MalformedRows } from './malformed-rows.ts'
import { epochMs, parseRow, wallTime } from './schema.ts'
import { scopedKey, type TenantKey, tenantRecord } from './tenant.ts'

export const scheduleDay = z.discriminatedUnion('kind', [
  /** Each day that the service names as the next billing date. */
  z.object({ kind: z.literal('billing-date') }),
  /** A day that every month has, or its last one. */
  z.object({
    kind: z.literal('monthly'),
    day: z.union([z.number().int().min(1).max(28), z.literal('last')]),
  }),
  /** 1 is Monday, 7 is Sunday. */
  z.object({ kind: z.literal('weekly'), weekday: z.number().int().min(1).max(7) }),
  /** On each of these weekdays, numbered alike. */
  z.object({
    kind: z.literal('daily'),
    weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7),
  }),
])
export type ScheduleDay = z.infer<typeof scheduleDay>

/** What a scheduled call report is of. */
export const reportOptions = z.object({
  /** The one before the day that it comes on. Weeks are from Monday to Sunday, and months are whole. */
  range: z.enum(['day', 'week', 'month']),
  by: z.enum(['line', 'agent', 'hour']),
  /** Nothing is posted of a range without a call. */
  onlyWithCalls: z.boolean(),
})
export type ReportOptions = z.infer<typeof reportOptions>

const scheduleRecord = z.object({
  id: z.string(),
  tenant: tenantRecord,
  channel: z.string(),
  day: scheduleDay,
  /** `HH:MM` in the channel's zone. */
  time: wallTime,
  /** The person who made it, changed it or resumed it last: posts say that this person scheduled them. */
  owner: z.string(),
  /** When it is looked at next. */
  due: epochMs,
  /** `YYYY-MM-DD`: the local day that `due` was planned for, whatever the channel's time zone is by now. */
  dueDay: z.string().refine((text): text is LocalDay => parseDay(text) !== undefined),
  /** The local day of the last post: it is not planned again. None before the first post. */
  postedDay: z.string().optional(),
  /** Why nothing is posted: a person's wish, or what went wrong for good, in words for people. */
  paused: z.object({ why: z.string().optional() }).optional(),
  /** `YYYY-MM-DD`: the next billing date that the service named last. It may name the one after it on the day itself. */
  billingDay: z.string().optional(),
  /** Of a report: a billing post has none. */
  report: reportOptions.optional(),
})
export type Schedule = z.infer<typeof scheduleRecord>

/** What a person fills in. */
export const scheduleDraft = scheduleRecord.pick({ channel: true, day: true, time: true, report: true })
export type ScheduleDraft = z.infer<typeof scheduleDraft>

/** What the rows of one kind of schedule are. */
export interface ScheduleRows {
  readonly namespace: string
  readonly schema: z.ZodType<Schedule>
}

export const billingRows: ScheduleRows = { namespace: 'schedules', schema: scheduleRecord }
export const reportRows: ScheduleRows = {
  namespace: 'report-schedules',
  schema: scheduleRecord.required({ report: true }),
}

/** The schedules of one kind, some for each tenant. Every method @throws {StoreError}. */
export class Schedules {
  readonly namespace
  readonly #backend
  readonly #malformed
  readonly #parseRow: (value: string) => Schedule

  constructor(
    services: {
      readonly backend: Backend
      readonly malformed: MalformedRows
    },
    { namespace, schema }: ScheduleRows,
  ) {
    this.namespace = namespace
    this.#backend = services.backend
    this.#malformed = services.malformed
    this.#parseRow = (value) => parseRow(schema, value, 'a schedule')
  }

  async get(tenant: TenantKey, id: string): Promise<Schedule | undefined> {
    const value = await this.#read(scopedKey(tenant, id))
    return value === undefined ? undefined : this.#parseRow(value)
  }

  all(tenant: TenantKey): Promise<readonly Schedule[]> {
    return Array.fromAsync(this.scan(`${tenant}/`))
  }

  /** Those of every tenant, or those whose keys begin with `prefix`. */
  async *scan(prefix = ''): AsyncGenerator<Schedule, void> {
    for await (const row of scan(this.#backend, this.namespace, prefix)) {
      yield* this.#parse(row)
    }
  }

  async set(tenant: TenantKey, schedule: Schedule): Promise<void> {
    const row = { key: scopedKey(tenant, schedule.id), value: JSON.stringify(schedule) }
    await this.#backend.set(this.namespace, row)
  }

  /**
   * Changes what is there, and nothing that another process changed in between: `change` is called again then.
   * @param change returns `undefined` to leave it as it is
   * @returns what is there now, or `undefined` where it was left
   */
  async change(
    tenant: TenantKey,
    id: string,
    change: (schedule: Schedule) => Schedule | undefined,
  ): Promise<Schedule | undefined> {
    const key = scopedKey(tenant, id)
    for (;;) {
      const before = await this.#read(key)
      const changed = before === undefined ? undefined : change(this.#parseRow(before))
      if (before === undefined || changed === undefined) return undefined
      const value = JSON.stringify(changed)
      if (await this.#backend.replace(this.namespace, key, before, value)) return changed
    }
  }

  /** @returns whether it was there */
  async delete(tenant: TenantKey, id: string): Promise<boolean> {
    const key = scopedKey(tenant, id)
    return (await this.#backend.delete(this.namespace, [key])).length > 0
  }

  #parse({ key, value }: Row): readonly Schedule[] {
    return this.#malformed.read(this.namespace, key, () => this.#parseRow(value))
  }

  async #read(key: string): Promise<string | undefined> {
    return (await this.#backend.get(this.namespace, [key]))[0]?.value
  }
}
