import type { Job } from '../../jobs/jobs.ts'
import type { ScheduleKind } from '../../scheduler/kind.ts'
import type { Services } from '../../services.ts'
import { tenantKey } from '../../store/tenant.ts'
import { givenUpNotice, givenUpWhy } from './notice-texts.ts'

/** The job of a schedule failed for good: its owner is told, and nothing more is tried until somebody resumes it. */
export async function giveUp(
  { notices, audit }: Pick<Services, 'notices' | 'audit'>,
  { info, scheduler }: Pick<ScheduleKind, 'info' | 'scheduler'>,
  one: Job,
): Promise<void> {
  const job = scheduler.readJob(one)
  const tenant = tenantKey(job.tenant)
  const schedule = await scheduler.schedules.get(tenant, job.id)
  if (!schedule || schedule.paused || schedule.due !== job.due) return
  const { channel, owner, id } = schedule
  const noticeId = `given-up${tenant}/${id}/${job.due}`
  await notices.tellOneOf(schedule.tenant, [owner], channel, noticeId, givenUpNotice(info, channel))
  const paused = await scheduler.schedules.change(tenant, id, (current) =>
    current.due === job.due ? { ...current, paused: { why: givenUpWhy } } : undefined,
  )
  if (!paused) return
  const what = `${info.audit.schedule} paused`
  await audit.recordInNameOf(owner, tenant, what, `channel ${channel}, ${givenUpWhy}`)
}
