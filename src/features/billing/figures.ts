import { cut } from '../../slack/blocks/blocks.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { addMoney, formatMoney, isZero, type Money, negateMoney, parseMoney } from '../../telephony/money.ts'
import type { Billing } from '../../telephony/wire.ts'
import { dayLabel, daysIn, type LocalDay } from '../../time/days.ts'
import { countNoun } from '../../util/text.ts'
import type { PostedBill } from '../subscriptions/schedule.ts'

// Figures and texts of a bill, not escaped.

export interface BillingItem {
  readonly name: string
  /** Text of the service; empty if it has none. */
  readonly amount: string
}

/** `Extra agents (3, $12.50 each)` @param details empty if unknown */
export function item(name: string, amount: string, details: readonly string[] = []): BillingItem {
  const known = details.filter((detail) => detail !== '').join(', ')
  const text = known === '' ? name : `${name} (${known})`
  return { name: cut(text, 60), amount: cut(amount, 24) }
}

/** Whether the bill names the add-on: an absent part, or one without a value, is none. */
const hasContent = (part: Readonly<Record<string, string>>): boolean =>
  Object.values(part).some((value) => !/^(0\s*\D*)?$/.test(value.trim()))

function addAmounts(texts: readonly string[]): Money | undefined {
  const amounts: Money[] = []
  for (const text of texts) {
    const amount = parseMoney(text)
    if (!amount) return undefined
    amounts.push(amount)
  }
  return addMoney(amounts)
}

const subtract = (amount?: Money, other?: Money): Money | undefined =>
  amount && other && addMoney([amount, negateMoney(other)])

/** Returns the plan and the add-ons that cost something. */
function withPlan({ plan }: Billing, addOns: readonly BillingItem[]): readonly BillingItem[] {
  const name = plan.name === '' ? 'Plan' : `${plan.name} plan`
  return [item(name, plan.price), ...addOns.filter(({ amount }) => !isZero(amount))]
}

/** Returns the add-ons besides numbers. */
function listExtras({ addOns: { agents, storage, crm } }: Billing) {
  const agentDetails = [agents.count, agents.each && `${agents.each} each`]
  const storageDetails = [storage.size, storage.perGb && `${storage.perGb} a GB`]
  const extras = [
    { part: agents, name: 'Extra agents', amount: agents.total, details: agentDetails },
    { part: storage, name: 'Extra storage', amount: storage.total, details: storageDetails },
    { part: crm, name: 'Extra CRMs', amount: crm.total, details: [crm.count] },
  ]
  return extras.filter(({ part }) => hasContent(part))
}

const listNumbers = ({ addOns }: Billing) => addOns.numbers.filter(hasContent)

/** Names each number, and says how many there are of the rest. */
export function listItems(billing: Billing, lines: LineNames): readonly BillingItem[] {
  const items = listExtras(billing).map(({ name, amount, details }) => item(name, amount, details))
  for (const { number, country, monthly } of listNumbers(billing)) {
    const name = lines.getName(number)
    const written = lines.format(number)
    if (name === undefined) items.push(item('Number', monthly, [written, country]))
    else items.push(item(name, monthly, [written]))
  }
  return withPlan(billing, items)
}

/** Items as a channel sees them: without details, and with one total for all numbers. */
export function listSubtotals(billing: Billing): readonly BillingItem[] {
  const items = listExtras(billing).map(({ name, amount }) => item(name, amount))
  const numbers = listNumbers(billing)
  if (numbers.length > 0) {
    const total = addAmounts(numbers.map(({ monthly }) => monthly))
    items.push(item('Numbers', total ? formatMoney(total) : ''))
  }
  return withPlan(billing, items)
}

/** `Visa ending 4242`, `Card ending 4242`; unchanged if it has no such end. */
export function paymentText({ paymentMethod, maskedCard }: Billing): string {
  const last = /\d{4}$/.exec(maskedCard)?.[0]
  if (last === undefined) return `${paymentMethod} ${maskedCard}`.trim()
  return `${paymentMethod || 'Card'} ending ${last}`
}

/** `15 Dec 2026` */
export const nextDateText = ({ nextBillingDay: day }: Billing): string =>
  typeof day === 'string' ? dayLabel(day) : day.raw.trim()

/** `15 Dec 2026, in 24 days`; the date alone if it has passed. */
export function nextDateFrom(today: LocalDay, billing: Billing): string {
  const { nextBillingDay: day } = billing
  const date = nextDateText(billing)
  if (typeof day !== 'string' || day < today) return date
  if (day === today) return `${date}, today`
  return `${date}, in ${countNoun(daysIn(today, day) - 1, 'day')}`
}

/** Returns a warning; empty if the items add up to the total, undefined if they can't be compared. */
export function differenceText(billing: Billing): string | undefined {
  const { plan, totalMonthly } = billing
  const extras = listExtras(billing).map(({ amount }) => amount)
  const numbers = listNumbers(billing).map(({ monthly }) => monthly)
  const sum = addAmounts([plan.price, ...extras, ...numbers])
  const difference = subtract(parseMoney(totalMonthly), sum)
  if (!sum || !difference) return undefined
  if (difference.units === 0n) return ''
  return `⚠ Items add up to ${formatMoney(sum)}, but the total is ${totalMonthly}. Ask your phone provider about the difference.`
}

/** `✓ Items add up to the total. Call costs aren't included.` */
export function checkText(billing: Billing): string {
  const difference = differenceText(billing) ?? "Not every amount could be read, so the total wasn't checked."
  return `${difference || '✓ Items add up to the total.'} Call costs aren't included.`
}

/** @param count as the service writes it */
const pluralize = (count: string, noun: string) => (count === '1' ? `1 ${noun}` : `${count} ${noun}s`)

/** `The plan includes 10 agents, 50GB of storage, 1 CRM · Credit limit $500.00` */
export function otherFactsText({ plan, creditLimit }: Billing): string {
  const isCounted = (count: string) => count !== '' && !/^0\s*\D*$/.test(count)
  const included: string[] = []
  if (isCounted(plan.agents)) included.push(pluralize(plan.agents, 'agent'))
  if (isCounted(plan.storage)) included.push(`${plan.storage} of storage`)
  if (isCounted(plan.crm)) included.push(pluralize(plan.crm, 'CRM'))
  const facts: string[] = []
  if (included.length > 0) facts.push(`The plan includes ${included.join(', ')}`)
  if (creditLimit !== '' && !isZero(creditLimit)) facts.push(`Credit limit ${creditLimit}`)
  return facts.join(' · ')
}

export const toPostedBill = (billing: Billing, day: LocalDay): PostedBill => ({
  day,
  total: billing.totalMonthly,
  items: [...listSubtotals(billing)],
})

/** `$37.50 → $50.00 (+$12.50)` */
function changeText(before: string, after: string): string {
  const text = `${before || '–'} → ${after || '–'}`
  const difference = subtract(parseMoney(after), parseMoney(before))
  if (!difference) return text
  const sign = difference.units < 0n ? '' : '+'
  return `${text} (${sign}${formatMoney(difference)})`
}

/** Lists the total if it changed, and each item that came, changed or went. */
export function listChanges(before: PostedBill, after: PostedBill): readonly string[] {
  const lines: string[] = []
  if (before.total !== after.total) lines.push(`Total: ${changeText(before.total, after.total)}`)
  const formerAmounts = new Map(before.items.map(({ name, amount }) => [name, amount]))
  for (const { name, amount } of after.items) {
    const former = formerAmounts.get(name)
    formerAmounts.delete(name)
    if (former === undefined) lines.push(`New: ${name}, ${amount || '–'}`)
    else if (former !== amount) lines.push(`${name}: ${changeText(former, amount)}`)
  }
  for (const [name, amount] of formerAmounts) lines.push(`No longer billed: ${name}, ${amount || '–'}`)
  return lines
}
