import { z } from 'zod'
import type { Backend } from './backend.ts'
import { orStoreError, StoreError } from './errors.ts'
import { rowsUnder } from './rows.ts'
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
])
export type ScheduleDay = z.infer<typeof scheduleDay>

const scheduleRecord = z.object({
  id: z.string(),
  tenant: tenantRecord,
  channel: z.string(),
  day: scheduleDay,
  /** `HH:MM` in the channel's zone. */
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  /** The person who made it, changed it or resumed it last: posts are in that person's name. */
  owner: z.string(),
  /** Epoch ms: when it is looked at next. */
  due: z.number(),
  /** Why nothing is posted: a person's wish, or what went wrong for good, in words for people. */
  paused: z.object({ why: z.string().optional() }).optional(),
  /** `YYYY-MM-DD`: the next billing date that the service named last. It may name the one after it on the day itself. */
  billingDay: z.string().optional(),
})
export type Schedule = z.infer<typeof scheduleRecord>

/** Scheduled billing posts, some for each tenant. Every method @throws {StoreError}. */
export interface Schedules {
  get(tenant: TenantKey, id: string): Promise<Schedule | undefined>
  all(tenant: TenantKey): Promise<readonly Schedule[]>
  /** Those of every tenant. */
  everyone(): AsyncGenerator<Schedule, void>
  set(tenant: TenantKey, schedule: Schedule): Promise<void>
  /**
   * Changes what is there, and nothing that another process changed in between: `change` is called again then.
   * @param change returns `undefined` to leave it as it is
   * @returns what is there now, or `undefined` where it was left
   */
  change(
    tenant: TenantKey,
    id: string,
    change: (schedule: Schedule) => Schedule | undefined,
  ): Promise<Schedule | undefined>
  deleteAll(tenant: TenantKey): Promise<void>
  /** @returns whether it was there */
  delete(tenant: TenantKey, id: string): Promise<boolean>
}

export const schedulesNamespace = 'schedules'
const namespace = schedulesNamespace

function parse(value: string): Schedule {
  const parsed = scheduleRecord.safeParse(JSON.parse(value))
  if (parsed.success) return parsed.data
  const where = parsed.error.issues.map(({ path }) => path.join('.')).join(', ')
  throw new StoreError(`a schedule is malformed: ${where}`)
}

export function createSchedules(backend: Backend, now: () => number): Schedules {
  const read = async (key: string) =>
    (await orStoreError('read a schedule', backend.get(namespace, [key], now())))[0]?.value

  async function* under(prefix: string): AsyncGenerator<Schedule, void> {
    for await (const { value } of rowsUnder(backend, namespace, prefix, now())) yield parse(value)
  }

  return {
    async get(tenant, id) {
      const value = await read(scopedKey(tenant, id))
      return value === undefined ? undefined : parse(value)
    },
    all: (tenant) => orStoreError('read the schedules', Array.fromAsync(under(`${tenant}/`))),
    everyone: () => under(''),
    async set(tenant, schedule) {
      const row = { key: scopedKey(tenant, schedule.id), value: JSON.stringify(schedule), expires: undefined }
      await orStoreError('keep a schedule', backend.set(namespace, row))
    },
    async change(tenant, id, change) {
      const key = scopedKey(tenant, id)
      for (;;) {
        const before = await read(key)
        const changed = before === undefined ? undefined : change(parse(before))
        if (before === undefined || changed === undefined) return undefined
        const value = JSON.stringify(changed)
        const isDone = await orStoreError(
          'change a schedule',
          backend.replace(namespace, key, before, value, now()),
        )
        if (isDone) return changed
      }
    },
    deleteAll: (tenant) => orStoreError('delete the schedules', backend.clear(namespace, `${tenant}/`)),
    async delete(tenant, id) {
      const gone = await orStoreError('delete a schedule', backend.delete(namespace, [scopedKey(tenant, id)]))
      return gone.length > 0
    },
  }
}
