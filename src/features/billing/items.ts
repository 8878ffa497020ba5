import { cut } from '../../slack/blocks/blocks.ts'
import { billingTotals, isZero, parseMoney } from '../../telephony/money.ts'
import type { Billing } from '../../telephony/types.ts'

// What a bill says, to one person and to a channel. Nothing here is escaped.

/** One line of a bill, and what it costs a month as the service writes it. */
export interface BillingItem {
  readonly name: string
  readonly amount: string
}

const item = (name: string, amount: string): BillingItem => ({ name: cut(name, 60), amount: cut(amount, 24) })

/** What costs nothing is left out, but for the plan; what has an amount that can't be read, or none, is not. */
const charged = (items: readonly BillingItem[]): readonly BillingItem[] =>
  items.filter(({ amount }) => !isZero(amount))

const planItem = ({ plan }: Billing) => item(plan.name === '' ? 'Plan' : `${plan.name} plan`, plan.price)

/** @param unit what a count stands before; its plural by itself where there is no count */
const counted = (count: string, unit: string) =>
  count === '' ? `Extra ${unit}s` : `${count} extra ${unit}${count === '1' ? '' : 's'}`
const sized = (size: string) => (size === '' ? 'Extra storage' : `${size} of extra storage`)
const at = (price: string, unit: string) => (price === '' ? '' : ` at ${price} ${unit}`)

/** The plan and each add-on: what the total is the sum of. */
export function billingItems(billing: Billing): readonly BillingItem[] {
  const { agents, storage, crm, numbers } = billing.addOns
  return [
    planItem(billing),
    ...charged([
      item(`${counted(agents.count, 'agent')}${at(agents.each, 'each')}`, agents.total),
      item(`${sized(storage.size)}${at(storage.perGb, 'a GB')}`, storage.total),
      item(counted(crm.count, 'CRM'), crm.total),
      ...numbers.map(({ number, country, monthly }) =>
        item(`Number ${number}${country === '' ? '' : `, ${country}`}`, monthly),
      ),
    ]),
  ]
}

/** The same for a channel: what each kind of add-on comes to, without the agents and numbers themselves. */
export function billingSubtotals(billing: Billing): readonly BillingItem[] {
  const { agents, storage, crm } = billing.addOns
  return [
    planItem(billing),
    ...charged([
      item('Extra agents', agents.total),
      item('Extra storage', storage.total),
      item('Extra CRMs', crm.total),
      item('Numbers', billingTotals(billing).numbers ?? ''),
    ]),
  ]
}

/** `Billing: $244.99 a month`; the service's total is one a month. */
export const billingTitle = ({ totalMonthly }: Billing): string =>
  parseMoney(totalMonthly) ? `Billing: ${totalMonthly} a month` : 'Billing'

/** Said below the items where the title can't say it. */
export const unreadableTotal = ({ totalMonthly }: Billing): readonly BillingItem[] =>
  parseMoney(totalMonthly) || totalMonthly === '' ? [] : [item('Total a month', totalMonthly)]
