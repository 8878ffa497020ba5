import { cut } from '../../slack/blocks/blocks.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { addMoney, formatMoney, isZero, negateMoney, parseMoney } from '../../telephony/money.ts'
import type { Billing } from '../../telephony/wire.ts'
import { compareDays, dayLabel, daysIn, parseDay } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import type { Schedule } from '../subscriptions/schedule-rows.ts'

// Figures and texts of a bill, not escaped.

export interface BillingItem {
  readonly name: string
  /** Per month, as the service writes it. */
  readonly amount: string
}

const item = (name: string, amount: string): BillingItem => ({ name: cut(name, 60), amount: cut(amount, 24) })

const planItem = ({ plan }: Billing) => item(plan.name === '' ? 'Plan' : `${plan.name} plan`, plan.price)

/** False for what costs nothing. Items whose amount is unreadable or missing are shown. */
const isCharged = ({ amount }: BillingItem) => !isZero(amount)

const pluralize = (count: string, noun: string) => `${count} ${noun}${count === '1' ? '' : 's'}`
const extra = (count: string, noun: string) =>
  count === '' ? `Extra ${noun}s` : pluralize(count, `extra ${noun}`)
const priceText = (price: string, unit: string) => (price === '' ? '' : ` at ${price} ${unit}`)

function formatNumberItem(number: string, country: string, lines: LineNames): string {
  const [name, written] = [lines.nameOf(number), lines.write(number)]
  if (name !== undefined) return `${name} (${written})`
  return `Number ${written}${country === '' ? '' : `, ${country}`}`
}

/** Lists the plan and all add-ons. */
export function listItems(billing: Billing, lines: LineNames): readonly BillingItem[] {
  const { agents, storage, crm, numbers } = billing.addOns
  const size = storage.size === '' ? 'Extra storage' : `${storage.size} of extra storage`
  const addOns = [
    item(`${extra(agents.count, 'agent')}${priceText(agents.each, 'each')}`, agents.total),
    item(`${size}${priceText(storage.perGb, 'a GB')}`, storage.total),
    item(extra(crm.count, 'CRM'), crm.total),
    ...numbers.map(({ number, country, monthly }) => item(formatNumberItem(number, country, lines), monthly)),
  ]
  return [planItem(billing), ...addOns.filter(isCharged)]
}

/** Returns undefined if an amount can't be read. */
function addTexts(texts: readonly string[]) {
  const amounts = texts.map(parseMoney)
  return amounts.every((amount) => amount !== undefined) ? addMoney(amounts) : undefined
}

const listNumberPrices = ({ addOns }: Billing) => addOns.numbers.map(({ monthly }) => monthly)

/** Lists the plan and one total for each kind of add-on. */
export function listSubtotals(billing: Billing): readonly BillingItem[] {
  const { agents, storage, crm } = billing.addOns
  const numbers = addTexts(listNumberPrices(billing))
  const addOns = [
    item('Extra agents', agents.total),
    item('Extra storage', storage.total),
    item('Extra CRMs', crm.total),
    item('Numbers', numbers ? formatMoney(numbers) : ''),
  ]
  return [planItem(billing), ...addOns.filter(isCharged)]
}

/** Returns the service's own total, or nothing if it has none. */
export const listTotal = ({ totalMonthly }: Billing): readonly BillingItem[] =>
  totalMonthly === '' ? [] : [item('Total per month', totalMonthly)]

export const billingTitle = ({ totalMonthly }: Billing): string =>
  parseMoney(totalMonthly) ? `Billing: ${totalMonthly} a month` : 'Billing'

/** `Visa ending 4242`, `Card ending 4242`; unchanged if it has no such end. */
export function paymentText({
  paymentMethod,
  maskedCard,
}: Pick<Billing, 'paymentMethod' | 'maskedCard'>): string {
  const last = /\d{4}$/.exec(maskedCard)?.[0]
  return last === undefined
    ? `${paymentMethod} ${maskedCard}`.trim()
    : `${paymentMethod || 'Card'} ending ${last}`
}

export const dateText = (day: Billing['nextBillingDay']): string =>
  typeof day === 'string' ? dayLabel(day) : day.raw

/** `15 Dec 2026, in 24 days` */
export function nextDateText({ nextBillingDay: day }: Billing, today: LocalDay): string {
  if (typeof day !== 'string') return day.raw
  const order = compareDays(day, today)
  if (order === 0) return `${dayLabel(day)}, today`
  const days = pluralize(String((order > 0 ? daysIn(today, day) : daysIn(day, today)) - 1), 'day')
  return `${dayLabel(day)}, ${order > 0 ? `in ${days}` : `${days} ago`}`
}

/** `$244.99 a month, on 1 Oct 2026` */
export function lastPostText({ day, total }: NonNullable<Schedule['postedBill']>): string {
  const on = parseDay(day)
  return `${total === '' ? '–' : `${total} a month`}${on === undefined ? '' : `, on ${dayLabel(on)}`}`
}

/** Returns a warning if the items don't add up to the total, nothing if they do; `undefined` if they can't be compared. */
export function differenceText(billing: Billing): string | undefined {
  const { plan, addOns, totalMonthly } = billing
  const { agents, storage, crm } = addOns
  const sum = addTexts([plan.price, agents.total, storage.total, crm.total, ...listNumberPrices(billing)])
  const total = parseMoney(totalMonthly)
  const difference = sum && total && addMoney([total, negateMoney(sum)])
  if (!sum || !difference) return undefined
  const { units } = difference
  if (units === 0n) return ''
  const amount =
    units > 0n ? `${formatMoney(difference)} more` : `${formatMoney(negateMoney(difference))} less`
  return `⚠ Items add up to ${formatMoney(sum)}, but the total is ${totalMonthly} (${amount}). Ask your phone provider about the difference.`
}

export const callCostsText = "Call costs aren't included."

export function checkText(billing: Billing): string {
  const difference = differenceText(billing)
  if (difference === undefined)
    return `Not every amount could be read, so the total wasn't checked. ${callCostsText}`
  return `${difference || '✓ Items add up to the total.'} ${callCostsText}`
}

/** Lists what the account has besides its items, without zeros. */
export function listOtherFacts({ plan, creditLimit, callRoute }: Billing): readonly string[] {
  const included = [
    [plan.agents, pluralize(plan.agents, 'agent')],
    [plan.storage, `${plan.storage} of storage`],
    [plan.crm, pluralize(plan.crm, 'CRM')],
  ].flatMap(([count = '', text = '']) => (count === '' || /^0\s*\D*$/.test(count) ? [] : [text]))
  return [
    ...(included.length > 0 ? [`The plan includes ${included.join(', ')}`] : []),
    ...(creditLimit === '' || isZero(creditLimit) ? [] : [`Credit limit ${creditLimit}`]),
    ...(callRoute === '' ? [] : [`Call routing ${callRoute}`]),
  ]
}
