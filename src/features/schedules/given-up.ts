import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { tenantKey } from '../../store/tenant.ts'
import { givenUpNotice, givenUpWhy } from './notice-texts.ts'

/** The job of a schedule failed for good: its owner is told, and nothing more is tried until somebody resumes it. */
export async function giveUp(
  { store, scheduler, notices, audit }: Pick<Services, 'store' | 'scheduler' | 'notices' | 'audit'>,
  one: Job,
): Promise<void> {
  const job = scheduler.readJob(one)
  const tenant = tenantKey(job.tenant)
  const schedule = await store.schedules.get(tenant, job.id)
  if (!schedule || schedule.paused || schedule.due !== job.due) return
  const { channel, owner, id } = schedule
  const noticeId = `given-up${tenant}/${id}/${job.due}`
  await notices.tellOneOf(schedule.tenant, [owner], channel, noticeId, givenUpNotice(channel))
  const paused = await store.schedules.change(tenant, id, (current) =>
    current.due === job.due ? { ...current, paused: { why: givenUpWhy } } : undefined,
  )
  if (paused)
    await audit.recordInNameOf(owner, tenant, 'schedule paused', `channel ${channel}, ${givenUpWhy}`)
}
