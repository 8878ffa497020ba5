import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import {
  actionRow,
  type Block,
  button,
  context,
  escapeText,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { fact, fields } from '../../slack/blocks/shared-blocks.ts'
import { billingTotals } from '../../telephony/billing-totals.ts'
import type { Billing } from '../../telephony/types.ts'
import { compareDays, dayLabel, daysIn } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'

export interface BillingView {
  readonly billing: Billing
  /** Of the channel's zone. */
  readonly today: LocalDay
  readonly zoneLabel: string
  /** Whether the person may change who sees what. */
  readonly isAdmin: boolean
}

/** `15 Dec 2026, in 24 days` */
export function nextDate(day: Billing['nextBillingDay'], today: LocalDay): string {
  if (typeof day !== 'string') return day.raw
  const order = compareDays(day, today)
  if (order === 0) return `${dayLabel(day)}, today`
  const days = order > 0 ? daysIn(today, day) - 1 : daysIn(day, today) - 1
  const count = days === 1 ? '1 day' : `${days} days`
  return order > 0 ? `${dayLabel(day)}, in ${count}` : `${dayLabel(day)}, ${count} ago`
}

function numberLines({ addOns }: Billing): Block[] {
  if (addOns.numbers.length === 0) return []
  const first = addOns.numbers.slice(0, 30)
  const lines = first.map(({ number, country, monthly }) => `• ${number} (${country}): ${monthly}`)
  const more = addOns.numbers.length - first.length
  return [section(`*Numbers*\n${escapeText(lines.join('\n'))}${more > 0 ? `\n… and ${more} more` : ''}`)]
}

/** Says where the service's own figures do not add up, rather than hiding it. */
function check(billing: Billing): Block[] {
  const { sum, difference } = billingTotals(billing)
  if (sum === undefined) return [context('Not every amount could be read, so the total was not checked.')]
  if (difference === undefined) return [context(escapeText(`The plan and add-ons add up to ${sum}.`))]
  return [
    section(
      escapeText(
        `The plan and add-ons add up to ${sum}, and the monthly total is ${billing.totalMonthly}: a difference of ${difference}. The service does not say what it is for.`,
      ),
    ),
  ]
}

/** The `/billing` message. Pure. */
export function billingMessage({ billing, today, zoneLabel, isAdmin }: BillingView): Message {
  const { plan, addOns } = billing
  const next = nextDate(billing.nextBillingDay, today)
  const text = `Billing. ${plan.name}, ${billing.totalMonthly} a month, next on ${next}.`
  /** `2 agents at $15.00 = $30.00` */
  const addOn = (what: string, each: string, total: string) =>
    `${what.trim()}${each === '' ? '' : ` at ${each}`} = ${total || '–'}`
  const perGb = addOns.storage.perGb && `${addOns.storage.perGb} a GB`
  const agents = addOns.agents.count === '1' ? 'agent' : 'agents'
  return {
    text: escapeText(text),
    blocks: [
      header('Billing'),
      fields([
        fact('Plan', `${plan.name}, ${plan.price}`),
        fact('Monthly total', billing.totalMonthly),
        fact('Next billing date', next),
        fact('Included', `${plan.agents} agents, ${plan.storage}, ${plan.crm} CRM`),
        fact('Payment method', `${billing.paymentMethod} ${billing.maskedCard}`.trim()),
        fact('Credit limit', billing.creditLimit),
        fact('Call routing', billing.callRoute),
      ]),
      { type: 'divider' },
      fields([
        fact(
          'Extra agents',
          addOn(`${addOns.agents.count} ${agents}`, addOns.agents.each, addOns.agents.total),
        ),
        fact('Extra storage', addOn(addOns.storage.size, perGb, addOns.storage.total)),
        fact('Extra CRM', addOn(`${addOns.crm.count} CRM`, '', addOns.crm.total)),
      ]),
      ...numberLines(billing),
      ...check(billing),
      context(escapeText(`Days are those of ${zoneLabel}. Only you see this.`)),
      ...actionRow([
        button(ACTIONS.billingRefresh, 'Refresh', 'refresh'),
        ...(isAdmin ? [button(ACTIONS.settings, 'Who may see what…', 'settings')] : []),
      ]),
    ],
  }
}
