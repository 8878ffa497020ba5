import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { tenantKey } from '../../store/tenant.ts'

const why = 'Something kept going wrong on our side.'

export const givenUpText = (channel: string) =>
  `Billing posts in <#${channel}> are paused. ${why} Tell whoever runs Callboard. Once it's fixed, resume them in \`/billing schedules\`.`

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
  await notices.tellOneOf(schedule.tenant, [owner], channel, noticeId, { text: givenUpText(channel) })
  const paused = await store.schedules.change(tenant, id, (current) =>
    current.due === job.due ? { ...current, paused: { why } } : undefined,
  )
  if (paused) await audit.recordInNameOf(owner, tenant, 'schedule paused', `channel ${channel}, ${why}`)
}
