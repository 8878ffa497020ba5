import type { DueSchedule, ScheduleKind } from '../../planned/schedule-kind.ts'
import type { Services } from '../../services.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import { ticks } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import { billExtra, type Schedule } from '../../store/schedules.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import type { Billing } from '../../telephony/wire.ts'
import { billingSchedule, extraOptions } from './actions.ts'
import { billingPost } from './view.ts'

const formOf = (include: NonNullable<Schedule['include']>) =>
  new Form({ include: ticks('Also show', billExtra, extraOptions, include) })

/** One for billing dates asks every day; only on such a day something is missing where nothing is posted. */
function isExpectedOn({ schedule, slot: { day } }: DueSchedule, billing?: Billing): boolean {
  if (schedule.day.kind !== 'billing-date') return true
  return day === billing?.nextBillingDay || day === schedule.billingDay
}

export function billingSchedules({ store, telephony, workspaces, metrics }: Services): ScheduleKind {
  const read = async (tenant: TenantKey) => telephony.billing(await workspaces.account(tenant))

  /** The next billing date, for showing; the service may be away without harm. */
  async function billingDay(tenant: TenantKey): Promise<string | undefined> {
    try {
      const { nextBillingDay } = await read(tenant)
      return typeof nextBillingDay === 'string' ? nextBillingDay : undefined
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error
      return undefined
    }
  }

  return {
    info: billingSchedule,
    schedules: store.schedules,
    queue: 'billing-posts',
    intro:
      'Everyone in the channel will see the plan, add-on subtotals, next billing date and monthly total. Each post says that you scheduled it.',
    inputs: (schedule) => formOf(schedule?.include ?? []).inputs(),
    readInputs(view) {
      const { values } = formOf([]).read(view)
      if (!values) throw new ForgedValueError('what is shown of a bill')
      return values
    },
    async learn({ tenant }, { day }) {
      const told = day.kind === 'billing-date' ? await billingDay(tenant) : undefined
      // Where the service does not tell just now, what it told last is what the day itself is recognized by.
      return told === undefined ? {} : { billingDay: told }
    },
    async load(due) {
      const billing = await read(due.tenant)
      const { nextBillingDay, totalMonthly: total } = billing
      const { include = [], postedBill } = due.schedule
      const next = typeof nextBillingDay === 'string' ? { billingDay: nextBillingDay } : {}
      if (!isExpectedOn(due, billing)) return { post: undefined, changes: next }
      const changes = { ...next, postedBill: { day: due.slot.day, total } }
      return { post: billingPost(billing, include, postedBill), changes }
    },
    isMissed: (due) => isExpectedOn(due),
    makeUp: ({ schedule: { channel } }) => ({
      id: 'post',
      // The preview comes first.
      text: 'Post now…',
      command: `/billing post <#${channel}>`,
    }),
    count: (outcome) => metrics.count('billing_posts_total', { how: 'scheduled', outcome }),
  }
}
