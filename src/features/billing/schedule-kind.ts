import type { Services } from '../../services.ts'
import { isPersonId } from '../../slack/blocks/blocks.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import { Form, ticks } from '../../slack/forms/form.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import type { Billing } from '../../telephony/wire.ts'
import { type LocalDay, parseDay } from '../../time/days.ts'
import type { DuePost, ScheduleKind } from '../subscriptions/schedule-kind.ts'
import { billExtra, type Schedule, ScheduleRows } from '../subscriptions/schedule-rows.ts'
import { billingPost, billingSchedule, extraOptions } from './view.ts'

const createExtrasForm = (include: NonNullable<Schedule['include']>) =>
  new Form({ include: ticks('Also show', billExtra, extraOptions, include) })

const getBillingDay = ({ nextBillingDay }: Billing): LocalDay | undefined =>
  typeof nextBillingDay === 'string' ? parseDay(nextBillingDay) : undefined

/** A schedule for billing dates checks the date every day, and posts only on the billing date. */
function isExpectedOn({ schedule, slot: { day } }: DuePost, billing?: Billing): boolean {
  if (schedule.rhythm !== 'billing-date') return true
  return day === schedule.billingDay || (billing !== undefined && day === getBillingDay(billing))
}

export function billingSchedules({ store, telephony, workspaces, metrics }: Services): ScheduleKind {
  const read = async (tenant: TenantKey) => telephony.billing(await workspaces.account(tenant))

  return {
    info: billingSchedule,
    schedules: new ScheduleRows(store.rows, 'schedules'),
    queue: 'billing-posts',
    intro:
      'Everyone in the channel will see the plan, add-on subtotals, next billing date and monthly total. Each post says that you scheduled it.',
    inputs: (schedule) => createExtrasForm(schedule?.include ?? []).inputs(),
    readInputs(view) {
      const { values } = createExtrasForm([]).read(view)
      if (!values) throw new ForgedValueError('extras of a bill')
      return values
    },
    async learn({ tenant }, { rhythm }) {
      if (rhythm !== 'billing-date') return {}
      try {
        const billingDay = getBillingDay(await read(tenant))
        return billingDay === undefined ? {} : { billingDay }
      } catch (error) {
        // If the service is down, its last date still identifies the billing date.
        if (error instanceof TelephonyError) return {}
        throw error
      }
    },
    async load(due) {
      const billing = await read(due.tenant)
      const billingDay = getBillingDay(billing)
      const { include = [], postedBill } = due.schedule
      const next = billingDay === undefined ? {} : { billingDay }
      if (!isExpectedOn(due, billing)) return { post: undefined, changes: next }
      const changes = { ...next, postedBill: { day: due.slot.day, total: billing.totalMonthly } }
      return { post: billingPost(billing, include, postedBill), changes }
    },
    isMissed: (due) => isExpectedOn(due),
    makeUp: ({ schedule: { channel } }) =>
      isPersonId(channel)
        ? { id: 'billing', text: 'Show bill', command: '/billing' }
        : { id: 'post', text: 'Post now…', command: `/billing post <#${channel}>` },
    count: (outcome) => metrics.count('billing_posts_total', { how: 'scheduled', outcome }),
  }
}
