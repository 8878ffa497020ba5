import { billingTotals } from '../../telephony/billing-totals.ts'
import type { Billing } from '../../telephony/types.ts'
import { dayLabel } from '../../time/days.ts'
import { type Block, escapeText, header, type Message } from './blocks.ts'
import { fact, fields } from './shared-blocks.ts'

/** What is left out of a channel unless somebody ticks it. */
export const extras = ['card', 'limit'] as const
export type Extra = (typeof extras)[number]

/** What a channel is shown, without who posted it. Pure. */
export function billingPost(
  billing: Billing,
  include: readonly Extra[],
): Message & { readonly blocks: Block[] } {
  const { addOns, nextBillingDay } = billing
  const next = typeof nextBillingDay === 'string' ? dayLabel(nextBillingDay) : nextBillingDay.raw
  const { numbers } = billingTotals(billing)
  const facts = [
    fact('Plan', `${billing.plan.name}, ${billing.plan.price}`),
    fact('Monthly total', billing.totalMonthly),
    fact('Next billing date', next),
    fact('Extra agents', addOns.agents.total),
    fact('Extra storage', addOns.storage.total),
    fact('Extra CRM', addOns.crm.total),
    ...(numbers === undefined ? [] : [fact('Numbers', numbers)]),
    ...(include.includes('card')
      ? [fact('Payment method', `${billing.paymentMethod} ${billing.maskedCard}`)]
      : []),
    ...(include.includes('limit') ? [fact('Credit limit', billing.creditLimit)] : []),
  ]
  return {
    text: escapeText(`Billing: ${billing.plan.name}, ${billing.totalMonthly} a month, next on ${next}.`),
    blocks: [header('Telephony billing'), fields(facts)],
  }
}
