import {
  actionRow,
  type Block,
  context,
  escapeText,
  fact,
  fields,
  header,
  type Message,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { settingsAction } from '../../slack/blocks/links.ts'
import { billingTotals, isZero } from '../../telephony/money.ts'
import type { Billing } from '../../telephony/types.ts'
import { compareDays, dayLabel, daysIn } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import { billingActions, billingSchedule, chooseChannel } from './actions.ts'
import { billingItems, billingTitle, unreadableTotal } from './items.ts'
import { itemLines } from './post.ts'

export interface BillingView {
  readonly billing: Billing
  /** Of the channel's zone. */
  readonly today: LocalDay
  /** Whether the person may change who has access. */
  readonly isAdmin: boolean
}

/** `15 Dec 2026, in 24 days` */
function nextDate(day: Billing['nextBillingDay'], today: LocalDay): string {
  if (typeof day !== 'string') return day.raw
  const order = compareDays(day, today)
  if (order === 0) return `${dayLabel(day)}, today`
  const days = order > 0 ? daysIn(today, day) - 1 : daysIn(day, today) - 1
  const count = days === 1 ? '1 day' : `${days} days`
  return order > 0 ? `${dayLabel(day)}, in ${count}` : `${dayLabel(day)}, ${count} ago`
}

/** As many as a section holds. */
const mostItems = 30

/** Says where the service's own figures don't add up, rather than hiding it. */
function checkText(billing: Billing): string {
  const { sum, difference } = billingTotals(billing)
  if (sum === undefined || difference === undefined)
    return "I couldn't read every amount, so I didn't check the total."
  if (difference.kind === 'none') return '✓ Items add up to the total'
  const { amount, kind } = difference
  return `⚠ Items add up to ${sum}, the total is ${billing.totalMonthly} (${amount} ${kind}). The phone service doesn't say why.`
}

/** What the account has beside what it pays for; what it has none of is left out. */
function otherFacts({ plan, creditLimit, callRoute }: Billing): readonly string[] {
  const has = (count: string) => count !== '' && !/^0\s*\D*$/.test(count)
  const included = [
    ...(has(plan.agents) ? [plan.agents === '1' ? '1 agent' : `${plan.agents} agents`] : []),
    ...(has(plan.storage) ? [`${plan.storage} of storage`] : []),
    ...(has(plan.crm) ? [plan.crm === '1' ? '1 CRM' : `${plan.crm} CRMs`] : []),
  ]
  return [
    ...(included.length > 0 ? [`The plan includes ${included.join(', ')}`] : []),
    ...(creditLimit === '' || isZero(creditLimit) ? [] : [`Credit limit ${creditLimit}`]),
    ...(callRoute === '' ? [] : [`Call routing ${callRoute}`]),
  ]
}

function buttonsFor(isAdmin: boolean): Block[] {
  return actionRow([
    chooseChannel,
    billingSchedule.actions.new.button('Schedule posts…', {}),
    billingActions.refresh.button('Refresh'),
    ...(isAdmin ? [settingsAction.button('Access…')] : []),
  ])
}

/** The `/billing` message. Pure. */
export function billingMessage({ billing, today, isAdmin }: BillingView): Message {
  const title = billingTitle(billing)
  const next = nextDate(billing.nextBillingDay, today)
  const payment = `${billing.paymentMethod} ${billing.maskedCard}`.trim()
  const items = itemLines([...billingItems(billing), ...unreadableTotal(billing)])
  const shown = items.slice(0, mostItems)
  const more = items.length - shown.length
  const lines = [...shown, ...(more > 0 ? [`… and ${more} more`] : [])]
  const check = escapeText(checkText(billing))
  const others = escapeText(otherFacts(billing).join(' · '))
  return {
    text: textOfLines([`${escapeText(`${title}. Next billing date: ${next}.`)} ${check}`, ...lines]),
    blocks: [
      header(title),
      fields([fact('Next billing date', next), ...(payment === '' ? [] : [fact('Payment method', payment)])]),
      section(lines.join('\n')),
      section(check),
      ...(others === '' ? [] : [context(others)]),
      ...buttonsFor(isAdmin),
    ],
  }
}
