import { z } from 'zod'
import { type Job, type Jobs, NonRetryableError } from '../../jobs/jobs.ts'
import type { Log } from '../../log.ts'
import type { Slot } from '../../planned/schedule-kind.ts'
import type { Workspaces } from '../../slack/access/workspaces.ts'
import type { Schedule, Schedules } from '../../store/schedules.ts'
import { scopedKey, type TenantKey, tenantKey, tenantRecord } from '../../store/tenant.ts'
import { parseDay } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { nextSlot, slotAfter, slotOn } from './due-times.ts'

/** No record takes longer to be written: the database is given up before that. */
const longestWriteMs: Milliseconds = 15_000

const dueJob = z.object({
  tenant: tenantRecord,
  id: z.string(),
  due: z.number(),
  /** From 0; one more for each time that it could not be posted yet. */
  attempt: z.number(),
})

/** What a job carries of the schedule that it is for. */
export type DueJob = z.infer<typeof dueJob>

const firstAttempt = ({ tenant, id }: Pick<Schedule, 'tenant' | 'id'>, due: EpochMs): DueJob => ({
  tenant,
  id,
  due,
  attempt: 0,
})

/** Sees to it that every schedule of one kind has a job for its next due time. Every method @throws {StoreError}. */
export class Scheduler {
  /** Of due schedules, for whoever handles them. */
  readonly queue
  readonly schedules
  readonly #services

  constructor(services: {
    schedules: Schedules
    queue: string
    workspaces: Workspaces
    jobs: Jobs
    log: Log
    now: () => EpochMs
  }) {
    this.queue = services.queue
    this.schedules = services.schedules
    this.#services = services
  }

  /** @throws {NonRetryableError} */
  readJob({ data }: Job): DueJob {
    const parsed = dueJob.safeParse(data)
    if (!parsed.success)
      throw new NonRetryableError('the job of a schedule is malformed', { cause: parsed.error })
    return parsed.data
  }

  /** The channel's own zone, or the workspace's. */
  async zoneOf({ tenant, channel }: Pick<Schedule, 'tenant' | 'channel'>): Promise<Zone> {
    return (await this.#services.workspaces.zone(tenantKey(tenant), channel)).zone
  }

  /** What a person made or changed, due next after now: there is a job for it by then. */
  async plan(changed: Omit<Schedule, 'due' | 'dueDay'>): Promise<Schedule> {
    const zone = await this.zoneOf(changed)
    const now = new Date(this.#services.now())
    const slot = slotAfter(changed, zone, now, parseDay(changed.postedDay ?? ''))
    const schedule = { ...changed, due: slot.at.getTime(), dueDay: slot.day }
    if (!schedule.paused) await this.#enqueueBeforeChange(schedule, slot.at)
    return schedule
  }

  /** Keeps it, whatever was kept before. */
  async keep(changed: Omit<Schedule, 'due' | 'dueDay' | 'postedDay'>): Promise<Schedule> {
    const tenant = tenantKey(changed.tenant)
    const postedDay = (await this.schedules.get(tenant, changed.id))?.postedDay
    const schedule = await this.plan({ ...changed, postedDay })
    await this.schedules.set(tenant, schedule.id, schedule)
    return schedule
  }

  /** Moves a schedule whose slot has been seen to on to its next day, unless somebody has changed it since. */
  async advance(
    schedule: Schedule,
    { day }: Slot,
    changes: Pick<Schedule, 'billingDay' | 'postedDay'> = {},
  ): Promise<void> {
    const zone = await this.zoneOf(schedule)
    await this.#move(schedule, nextSlot(schedule, zone, day, new Date(this.#services.now())), changes)
  }

  /** The same job once more, later. */
  retry(job: DueJob, at: Date): Promise<void> {
    return this.#enqueue({ ...job, attempt: job.attempt + 1 }, at)
  }

  /** The tenant's schedules follow a change of zone: each stays on the day that it is planned for. */
  async reschedule(tenant: TenantKey): Promise<void> {
    for (const schedule of await this.schedules.all(tenant)) {
      const now = new Date(this.#services.now())
      // One that is due already is seen to as it stands.
      if (schedule.paused || schedule.due <= now.getTime()) continue
      const zone = await this.zoneOf(schedule)
      const slot = slotOn(schedule, zone, schedule.dueDay, now)
      if (slot.at.getTime() !== schedule.due) await this.#move(schedule, slot)
    }
  }

  /** Enqueues whatever is due next, for what an ended process left undone. */
  async resumeAll(): Promise<void> {
    let count = 0
    for await (const schedule of this.schedules.scan()) {
      if (schedule.paused) continue
      await this.resume(schedule)
      count += 1
    }
    if (count > 0) this.#services.log.info({ count, queue: this.queue }, 'scheduled posts')
  }

  /** One that another version has kept, or changed: its job may have met a process that did not know of it. */
  async resume(schedule: Schedule): Promise<void> {
    if (!schedule.paused) await this.#enqueue(firstAttempt(schedule, schedule.due), new Date(schedule.due))
  }

  async #move(schedule: Schedule, { day, at }: Slot, changes: Partial<Schedule> = {}): Promise<void> {
    await this.#enqueueBeforeChange(schedule, at)
    await this.schedules.change(tenantKey(schedule.tenant), schedule.id, (current) =>
      current.due === schedule.due && !current.paused
        ? { ...current, ...changes, due: at.getTime(), dueDay: day }
        : undefined,
    )
  }

  /**
   * A job for a time that its schedule does not name is dropped, and one that is missing is not noticed: so it is enqueued
   * before the record says when, and runs after that, though it may be due at once.
   */
  #enqueueBeforeChange(schedule: Pick<Schedule, 'tenant' | 'id'>, due: Date): Promise<void> {
    const written = this.#services.now() + longestWriteMs
    return this.#enqueue(firstAttempt(schedule, due.getTime()), new Date(Math.max(due.getTime(), written)))
  }

  #enqueue(job: DueJob, at: Date): Promise<void> {
    const id = `${scopedKey(tenantKey(job.tenant), job.id)}/${job.due}/${job.attempt}`
    return this.#services.jobs.enqueue(this.queue, id, job, at)
  }
}
