import {
  type Block,
  escapeText,
  fact,
  fields,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import type { Billing } from '../../telephony/types.ts'
import { dayLabel } from '../../time/days.ts'
import type { Extra } from './actions.ts'
import { type BillingItem, billingSubtotals, billingTitle, unreadableTotal } from './items.ts'

/** Lines of mrkdwn, an item with its amount each. */
export const itemLines = (items: readonly BillingItem[]): readonly string[] =>
  items.map(({ name, amount }) => `• ${escapeText(name)}: *${escapeText(amount || '–')}*`)

/** What a channel is shown, without who posted it. Pure. */
export function billingPost(
  billing: Billing,
  include: readonly Extra[],
): Message & { readonly blocks: Block[] } {
  const { nextBillingDay } = billing
  const next = typeof nextBillingDay === 'string' ? dayLabel(nextBillingDay) : nextBillingDay.raw
  const title = billingTitle(billing)
  const facts = [
    fact('Next billing date', next),
    ...(include.includes('card')
      ? [fact('Payment method', `${billing.paymentMethod} ${billing.maskedCard}`.trim())]
      : []),
    ...(include.includes('limit') ? [fact('Credit limit', billing.creditLimit)] : []),
  ]
  const lines = itemLines([...billingSubtotals(billing), ...unreadableTotal(billing)])
  const plan = billing.plan.name === '' ? '' : ` ${billing.plan.name}.`
  return {
    text: escapeText(`${title}. Next billing date: ${next}.${plan}`),
    blocks: [header(title), fields(facts), section(lines.join('\n'))],
  }
}
