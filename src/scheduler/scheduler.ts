import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { Workspace } from '../slack/access/workspaces.ts'
import type { Schedule, Schedules } from '../store/schedules.ts'
import { scopedKey, type TenantKey, tenantKey } from '../store/tenant.ts'
import type { Zone } from '../time/types.ts'
import { nextDue } from './due-times.ts'

export interface PlannerDeps {
  readonly schedules: Schedules
  readonly workspace: Workspace
  readonly jobs: Jobs
  readonly log: Log
  /** Epoch ms. */
  readonly now: () => number
}

/** What a job carries of the schedule that it is for. */
export interface DueJob {
  readonly tenant: Schedule['tenant']
  readonly id: string
  readonly due: number
  /** From 0; one more for each time that it could not be posted yet. */
  readonly attempt: number
}

export interface Listed {
  readonly schedule: Schedule
  readonly zone: Zone
}

export const queue = 'billing-posts'

/** Sees to it that every schedule has a job for its next due time. */
export interface Planner {
  /** The channel's own zone, or the workspace's. */
  zoneOf(schedule: Pick<Schedule, 'tenant' | 'channel'>): Promise<Zone>
  /** Keeps a schedule that a person made or changed, due next after now. */
  keep(schedule: Omit<Schedule, 'due'>): Promise<Schedule>
  /** Moves a schedule that has been seen to on to its next time, unless somebody has changed it since. */
  advance(schedule: Schedule, seen?: Pick<Schedule, 'billingDay'>): Promise<void>
  /** The same job once more, later. */
  again(job: DueJob, at: Date): Promise<void>
  /** The tenant's schedules follow a change of zone. */
  replan(tenant: TenantKey): Promise<void>
  /** The tenant's schedules with their zones, the next one first. */
  list(tenant: TenantKey): Promise<readonly Listed[]>
  /** Enqueues whatever is due next, for what an ended process left undone. */
  resumeAll(): Promise<void>
}

export function createPlanner({ schedules, workspace, jobs, log, now }: PlannerDeps): Planner {
  const enqueue = (job: DueJob, at: Date) =>
    jobs.enqueue(queue, `${scopedKey(tenantKey(job.tenant), job.id)}/${job.due}/${job.attempt}`, job, at)

  /** Before the record says so: a job for a time that its schedule does not name is dropped, one that is missing is not noticed. */
  const enqueueAt = ({ tenant, id }: Pick<Schedule, 'tenant' | 'id'>, due: Date) =>
    enqueue({ tenant, id, due: due.getTime(), attempt: 0 }, due)

  const zoneOf: Planner['zoneOf'] = async ({ tenant, channel }) =>
    (await workspace.zone(tenantKey(tenant), channel)).zone

  async function move(schedule: Schedule, due: Date, changes: Partial<Schedule> = {}): Promise<void> {
    await enqueueAt(schedule, due)
    await schedules.change(tenantKey(schedule.tenant), schedule.id, (current) =>
      current.due === schedule.due && !current.paused
        ? { ...current, ...changes, due: due.getTime() }
        : undefined,
    )
  }

  return {
    zoneOf,
    async keep(given) {
      const due = nextDue(given, await zoneOf(given), new Date(now()))
      const schedule = { ...given, due: due.getTime() }
      if (!schedule.paused) await enqueueAt(schedule, due)
      await schedules.set(tenantKey(schedule.tenant), schedule)
      return schedule
    },
    async advance(schedule, seen = {}) {
      const after = new Date(Math.max(now(), schedule.due))
      await move(schedule, nextDue(schedule, await zoneOf(schedule), after), seen)
    },
    again: (job, at) => enqueue({ ...job, attempt: job.attempt + 1 }, at),
    async replan(tenant) {
      for (const schedule of await schedules.all(tenant)) {
        // One that is due already is seen to as it stands.
        if (schedule.paused || schedule.due <= now()) continue
        const due = nextDue(schedule, await zoneOf(schedule), new Date(now()))
        if (due.getTime() !== schedule.due) await move(schedule, due)
      }
    },
    async list(tenant) {
      const all = [...(await schedules.all(tenant))].sort((a, b) => a.due - b.due)
      return Promise.all(all.map(async (schedule) => ({ schedule, zone: await zoneOf(schedule) })))
    },
    async resumeAll() {
      let count = 0
      for await (const schedule of schedules.scan()) {
        if (schedule.paused) continue
        await enqueueAt(schedule, new Date(schedule.due))
        count += 1
      }
      if (count > 0) log.info({ count }, 'scheduled billing posts')
    },
  }
}
