import type { Services } from '../../services.ts'
import type { Billing } from '../../telephony/wire.ts'
import { localDay } from '../../time/zones.ts'
import { isExpected, type ScheduleKind } from '../subscriptions/kind.ts'
import { type Schedule, ScheduleRows } from '../subscriptions/schedule.ts'
import { toPostedBill } from './figures.ts'
import { readBilling } from './post.ts'
import { billingScheduleInfo, includeField, renderBillingPost } from './view.ts'

function readBillingDay({ nextBillingDay }: Billing): Pick<Schedule, 'billingDay'> {
  if (typeof nextBillingDay === 'string') return { billingDay: nextBillingDay }
  return {}
}

export function billingSchedules(services: Services): ScheduleKind {
  const { store, now } = services
  return {
    info: billingScheduleInfo,
    rows: new ScheduleRows(store.database, 'schedules'),
    queue: 'billing-posts',
    fields: (schedule) => ({ include: includeField(schedule?.include ?? []) }),
    async readDetails(tenant, { rhythm }) {
      if (rhythm !== 'billing-date') return {}
      const billing = await readBilling(services, tenant)
      return readBillingDay(billing)
    },
    async load(due) {
      const billing = await readBilling(services, due.tenant)
      const dateChange = readBillingDay(billing)
      // On the billing date, the service may already name the next one.
      if (!isExpected(due) && due.slot.day !== billing.nextBillingDay)
        return { post: undefined, changes: dateChange }
      // A late post shows the bill of the day on which it is sent.
      const posted = toPostedBill(billing, localDay(due.zone, new Date(now())))
      const { include = [], postedBill: last } = due.schedule
      const post = renderBillingPost(billing, include, { posted, last })
      return { post, changes: { ...dateChange, postedBill: posted } }
    },
  }
}
