import type { Services } from '../../services.ts'
import { isPersonId } from '../../slack/blocks/blocks.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { TelephonyError } from '../../telephony/types.ts'
import type { Billing } from '../../telephony/wire.ts'
import { localDay } from '../../time/zones.ts'
import { type DuePost, type Schedule, type ScheduleKind, ScheduleRows } from '../subscriptions/schedule.ts'
import { toPostedBill } from './figures.ts'
import { billingPost, billingSchedule, includeField } from './view.ts'

function readBillingDay({ nextBillingDay }: Billing): Pick<Schedule, 'billingDay'> {
  return typeof nextBillingDay === 'string' ? { billingDay: nextBillingDay } : {}
}

/** Checks the stored billing date, too, because on that day the service may already name the next one. */
function shouldPost({ schedule, slot }: DuePost, billing?: Billing): boolean {
  if (schedule.rhythm !== 'billing-date') return true
  return slot.day === schedule.billingDay || slot.day === billing?.nextBillingDay
}

export function billingSchedules({ store, telephony, workspaces, metrics, now }: Services): ScheduleKind {
  const getBilling = async (tenant: TenantKey) => telephony.billing(await workspaces.account(tenant))

  return {
    info: billingSchedule,
    rows: new ScheduleRows(store.database, 'schedules'),
    queue: 'billing-posts',
    fields: (schedule) => ({ include: includeField(schedule?.include ?? []) }),
    async readDetails(tenant, { rhythm }) {
      if (rhythm !== 'billing-date') return {}
      try {
        return readBillingDay(await getBilling(tenant))
      } catch (error) {
        // Optional: the schedule keeps the date that it has, and each run stores the date.
        if (error instanceof TelephonyError) return {}
        throw error
      }
    },
    async load(due) {
      const billing = await getBilling(due.tenant)
      const dateChange = readBillingDay(billing)
      if (!shouldPost(due, billing)) return { post: undefined, changes: dateChange }
      // A late post shows the bill of the day on which it is sent.
      const posted = toPostedBill(billing, localDay(due.zone, new Date(now())))
      const { include = [], postedBill: last } = due.schedule
      const post = billingPost(billing, include, { posted, last })
      return { post, changes: { ...dateChange, postedBill: posted } }
    },
    isMissed: (due) => shouldPost(due),
    missedPostCommand({ schedule }) {
      const { channel } = schedule
      if (isPersonId(channel)) return { id: 'billing', text: 'Show bill', command: '/billing' }
      return { id: 'post', text: 'Post now…', command: `/billing post <#${channel}>` }
    },
    count: (outcome) => metrics.count('billing_posts_total', { how: 'scheduled', outcome }),
  }
}
