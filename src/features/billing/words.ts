import { cut, escapeText } from '../../slack/blocks/blocks.ts'
import { keyRefused, waitText } from '../../slack/deliver/failures.ts'
import type { Schedule } from '../../store/schedules.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
} from '../../telephony/errors.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { isZero, parseMoney } from '../../telephony/money.ts'
import type { Billing } from '../../telephony/wire.ts'
import { compareDays, dayLabel, daysIn, parseDay } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import { billingTotals } from './totals.ts'

// What a bill says, to one person and to a channel. Nothing here is escaped, but for what says that it is mrkdwn.

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

const plural = (count: string) => (count === '1' ? '' : 's')

/** @param unit what a count stands before; its plural by itself where there is no count */
const counted = (count: string, unit: string) =>
  count === '' ? `Extra ${unit}s` : `${count} extra ${unit}${plural(count)}`
const sized = (size: string) => (size === '' ? 'Extra storage' : `${size} of extra storage`)
const at = (price: string, unit: string) => (price === '' ? '' : ` at ${price} ${unit}`)

/** The plan and each add-on: what the total is the sum of. */
/** @param lines what the account's own numbers are called, and how they are written */
export function billingItems(billing: Billing, lines: LineNames): readonly BillingItem[] {
  const { agents, storage, crm, numbers } = billing.addOns
  return [
    planItem(billing),
    ...charged([
      item(`${counted(agents.count, 'agent')}${at(agents.each, 'each')}`, agents.total),
      item(`${sized(storage.size)}${at(storage.perGb, 'a GB')}`, storage.total),
      item(counted(crm.count, 'CRM'), crm.total),
      ...numbers.map(({ number, country, monthly }) =>
        item(`Number ${lines.detailOf(number)}${country === '' ? '' : `, ${country}`}`, monthly),
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

export const itemLines = (items: readonly BillingItem[]): readonly string[] =>
  items.map(({ name, amount }) => `• ${escapeText(name)}: *${escapeText(amount || '–')}*`)

/** What the items come to, as the service says it; none where it says nothing. */
export const totalItem = ({ totalMonthly }: Billing): readonly BillingItem[] =>
  totalMonthly === '' ? [] : [item('Total a month', totalMonthly)]

/** `Visa ending 4242`, `Card ending 4242`; what has no such end is written as it came. */
export function paymentText({
  paymentMethod,
  maskedCard,
}: Pick<Billing, 'paymentMethod' | 'maskedCard'>): string {
  const last = /\d{4}$/.exec(maskedCard)?.[0]
  return last === undefined
    ? `${paymentMethod} ${maskedCard}`.trim()
    : `${paymentMethod || 'Card'} ending ${last}`
}

/** `15 Dec 2026, in 24 days` */
export function nextDate(day: Billing['nextBillingDay'], today: LocalDay): string {
  if (typeof day !== 'string') return day.raw
  const order = compareDays(day, today)
  if (order === 0) return `${dayLabel(day)}, today`
  const days = (order > 0 ? daysIn(today, day) : daysIn(day, today)) - 1
  const count = days === 1 ? '1 day' : `${days} days`
  return order > 0 ? `${dayLabel(day)}, in ${count}` : `${dayLabel(day)}, ${count} ago`
}

/** `$244.99 a month, on 1 Oct 2026` */
export function lastText({ day, total }: NonNullable<Schedule['postedBill']>): string {
  const on = parseDay(day)
  return `${total === '' ? '–' : `${total} a month`}${on === undefined ? '' : `, on ${dayLabel(on)}`}`
}

/** Where the service's own figures don't add up; `undefined` where they do, or can't be compared. */
export function differenceText(billing: Billing): string | undefined {
  const { sum, difference } = billingTotals(billing)
  if (difference === undefined || difference.kind === 'none') return undefined
  const { amount, kind } = difference
  return `⚠ Items add up to ${sum}, but the total is ${billing.totalMonthly} (${amount} ${kind}). Ask your phone provider about the difference.`
}

/** Of any bill: its total is of items alone. */
export const callCostsText = "Call costs aren't included."

export function checkText(billing: Billing): string {
  const isUnread = billingTotals(billing).difference === undefined
  const checked = isUnread
    ? "Not every amount could be read, so the total wasn't checked."
    : (differenceText(billing) ?? '✓ Items add up to the total.')
  return `${checked} ${callCostsText}`
}

/** What the account has beside what it pays for; what it has none of is left out. */
export function otherFacts({ plan, creditLimit, callRoute }: Billing): readonly string[] {
  const has = (count: string) => count !== '' && !/^0\s*\D*$/.test(count)
  const several = (count: string, noun: string) => (has(count) ? [`${count} ${noun}${plural(count)}`] : [])
  const included = [
    ...several(plan.agents, 'agent'),
    ...(has(plan.storage) ? [`${plan.storage} of storage`] : []),
    ...several(plan.crm, 'CRM'),
  ]
  return [
    ...(included.length > 0 ? [`The plan includes ${included.join(', ')}`] : []),
    ...(creditLimit === '' || isZero(creditLimit) ? [] : [`Credit limit ${creditLimit}`]),
    ...(callRoute === '' ? [] : [`Call routing ${callRoute}`]),
  ]
}

/**
 * What became of the invoice operation: above all whether it may have been carried out. `undefined` for an error that
 * says nothing of it. Mrkdwn.
 */
export function failedInvoicesText(error: unknown, customerId: string): string | undefined {
  const customer = `customer *${escapeText(customerId)}*`
  if (error instanceof CredentialsRejectedError) return `${keyRefused}, so nothing was done for ${customer}.`
  if (error instanceof RequestRefusedError) return `The phone service refused ${customer}. Nothing was done.`
  if (error instanceof RateLimitedError)
    return `${waitText(error.retryAfterMs)}, so nothing was done for ${customer}. Try again then.`
  if (!(error instanceof ServiceUnavailableError)) return undefined
  return error.sent
    ? `The answer was lost, so the deletion of ${customer} *may have been carried out*. It isn't tried again. Check with your phone provider before you try once more.`
    : `The phone service couldn't be reached, so nothing was sent for ${customer}. Try again in a moment.`
}
