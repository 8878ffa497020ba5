import type { Services } from '../../services.ts'
import { ForgedValueError } from '../../slack/blocks/action.ts'
import { isPersonId } from '../../slack/blocks/blocks.ts'
import { checkboxesField, Form } from '../../slack/forms/form.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { TelephonyError } from '../../telephony/types.ts'
import type { Billing } from '../../telephony/wire.ts'
import { parseDay } from '../../time/days.ts'
import type { DuePost, ScheduleKind } from '../subscriptions/schedule-kind.ts'
import { billExtra, type Schedule, ScheduleRows } from '../subscriptions/schedule-rows.ts'
import { billingPost, billingSchedule, extraOptions } from './view.ts'

const createExtrasForm = (include: NonNullable<Schedule['include']>) =>
  new Form({ include: checkboxesField('Also show', billExtra, extraOptions, include) })

function readBillingDay({ nextBillingDay }: Billing): Pick<Schedule, 'billingDay'> {
  const billingDay = typeof nextBillingDay === 'string' ? parseDay(nextBillingDay) : undefined
  return billingDay === undefined ? {} : { billingDay }
}

/**
 * A schedule for billing dates is due every day, and posts on the billing date: also on the stored one, because on that day
 * the service may already name the next.
 */
function shouldPost({ schedule, slot: { day } }: DuePost, billing?: Billing): boolean {
  if (schedule.rhythm !== 'billing-date') return true
  return day === schedule.billingDay || (billing !== undefined && day === readBillingDay(billing).billingDay)
}

export function billingSchedules({ store, telephony, workspaces, metrics }: Services): ScheduleKind {
  const getBilling = async (tenant: TenantKey) => telephony.billing(await workspaces.account(tenant))

  return {
    info: billingSchedule,
    schedules: new ScheduleRows(store.database, 'schedules'),
    queue: 'billing-posts',
    intro:
      'Everyone in the channel will see the plan, add-on subtotals, next billing date and monthly total. Each post says that you scheduled it.',
    inputs: (schedule) => createExtrasForm(schedule?.include ?? []).inputs(),
    readInputs(view) {
      const { values } = createExtrasForm([]).read(view)
      if (!values) throw new ForgedValueError('extras of a bill')
      return values
    },
    async readDetails({ tenant }, { rhythm }) {
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
      const { include = [], postedBill } = due.schedule
      if (!shouldPost(due, billing)) return { post: undefined, changes: dateChange }
      const changes = { ...dateChange, postedBill: { day: due.slot.day, total: billing.totalMonthly } }
      return { post: billingPost(billing, include, postedBill), changes }
    },
    isMissed: (due) => shouldPost(due),
    missedPostCommand: ({ schedule: { channel } }) =>
      isPersonId(channel)
        ? { id: 'billing', text: 'Show bill', command: '/billing' }
        : { id: 'post', text: 'Post now…', command: `/billing post <#${channel}>` },
    count: (outcome) => metrics.count('billing_posts_total', { how: 'scheduled', outcome }),
  }
}
