import type { Services } from '../../services.ts'
import type { Billing } from '../../telephony/wire.ts'
import { localDay } from '../../time/zones.ts'
import { isExpected, type ScheduleKind } from '../subscriptions/kind.ts'
import { type Schedule, ScheduleRows } from '../subscriptions/schedule.ts'
import { toPostedBill } from './figures.ts'
import { readBilling } from './post.ts'
import { billingScheduleInfo, includeField, renderBillingPost } from './view.ts'

/** Returns nothing if the service names no day, so that the stored one stays. */
const toStoredDay = ({ nextBillingDay: day }: Billing): Pick<Schedule, 'billingDay'> =>
  typeof day === 'string' ? { billingDay: day } : {}

export function billingSchedules(services: Services): ScheduleKind {
  const { store, now } = services
  return {
    info: billingScheduleInfo,
    rows: new ScheduleRows(store.database, 'schedules'),
    queue: 'billing-posts',
    fields: (schedule) => ({ include: includeField(schedule?.include ?? []) }),
    async readDetails(tenant, { rhythm }) {
      if (rhythm !== 'billing-date') return {}
      return toStoredDay(await readBilling(services, tenant))
    },
    async load(due) {
      const billing = await readBilling(services, due.tenant)
      const dayChange = toStoredDay(billing)
      // On the billing date itself, the service may already name the next one, so the stored day counts, too.
      const isBillingDate = isExpected(due) || due.slot.day === billing.nextBillingDay
      if (!isBillingDate) return { post: undefined, changes: dayChange }
      // A late post shows the bill of the day on which it is sent.
      const posted = toPostedBill(billing, localDay(due.zone, new Date(now())))
      const { include = [], postedBill: former } = due.schedule
      const post = renderBillingPost(billing, include, { posted, former })
      return { post, changes: { ...dayChange, postedBill: posted } }
    },
  }
}
