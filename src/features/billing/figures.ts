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
  /** As the service writes it; empty if it doesn't. */
  readonly amount: string
}

/** `Extra agents (3, $12.50 each)` @param details empty if unknown */
export function item(name: string, amount: string, details: readonly string[] = []): BillingItem {
  const known = details.filter((detail) => detail !== '').join(', ')
  return { name: cut(known === '' ? name : `${name} (${known})`, 60), amount: cut(amount, 24) }
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

/** Returns the plan and the add-ons that cost something. */
function withPlan({ plan }: Billing, addOns: readonly BillingItem[]): readonly BillingItem[] {
  const name = plan.name === '' ? 'Plan' : `${plan.name} plan`
  return [item(name, plan.price), ...addOns.filter(({ amount }) => !isZero(amount))]
}

function numberItem({ number, country, monthly }: Billing['addOns']['numbers'][number], lines: LineNames) {
  const name = lines.getName(number)
  const written = lines.format(number)
  return name === undefined ? item('Number', monthly, [written, country]) : item(name, monthly, [written])
}

/** Names each number, and says how many there are of the rest. */
export function listItems(billing: Billing, lines: LineNames): readonly BillingItem[] {
  const { agents, storage, crm, numbers } = billing.addOns
  const items: BillingItem[] = []
  if (hasContent(agents))
    items.push(item('Extra agents', agents.total, [agents.count, agents.each && `${agents.each} each`]))
  if (hasContent(storage))
    items.push(item('Extra storage', storage.total, [storage.size, storage.perGb && `${storage.perGb} a GB`]))
  if (hasContent(crm)) items.push(item('Extra CRMs', crm.total, [crm.count]))
  for (const number of numbers.filter(hasContent)) items.push(numberItem(number, lines))
  return withPlan(billing, items)
}

/** Items as a channel sees them: without details, and with one total for all numbers. */
export function listSubtotals(billing: Billing): readonly BillingItem[] {
  const { agents, storage, crm } = billing.addOns
  const numbers = billing.addOns.numbers.filter(hasContent)
  const items: BillingItem[] = []
  if (hasContent(agents)) items.push(item('Extra agents', agents.total))
  if (hasContent(storage)) items.push(item('Extra storage', storage.total))
  if (hasContent(crm)) items.push(item('Extra CRMs', crm.total))
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
  const days = typeof day === 'string' ? daysIn(today, day) - 1 : -1
  if (days < 0) return nextDateText(billing)
  return `${nextDateText(billing)}, ${days === 0 ? 'today' : `in ${countNoun(days, 'day')}`}`
}

/** Returns a warning; empty if the items add up to the total, undefined if they can't be compared. */
export function differenceText({ plan, addOns, totalMonthly }: Billing): string | undefined {
  const amounts = [plan.price]
  for (const addOn of [addOns.agents, addOns.storage, addOns.crm])
    if (hasContent(addOn)) amounts.push(addOn.total)
  for (const number of addOns.numbers) if (hasContent(number)) amounts.push(number.monthly)
  const sum = addAmounts(amounts)
  const total = parseMoney(totalMonthly)
  const difference = sum && total && addMoney([total, negateMoney(sum)])
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
const pluralize = (count: string, noun: string) => `${count} ${noun}${count === '1' ? '' : 's'}`

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
  const former = parseMoney(before)
  const current = parseMoney(after)
  const difference = former && current && addMoney([current, negateMoney(former)])
  if (!difference) return text
  return `${text} (${difference.units < 0n ? '' : '+'}${formatMoney(difference)})`
}

/** Lists what a post says of the post before: the total, and each item that came, changed or went. */
export function listChanges(before: PostedBill, billing: Billing): readonly string[] {
  const lines: string[] = []
  const { totalMonthly } = billing
  if (before.total !== totalMonthly) lines.push(`Total: ${changeText(before.total, totalMonthly)}`)
  const formerAmounts = new Map(before.items.map(({ name, amount }) => [name, amount]))
  for (const { name, amount } of listSubtotals(billing)) {
    const former = formerAmounts.get(name)
    formerAmounts.delete(name)
    if (former === undefined) lines.push(`New: ${name}, ${amount || '–'}`)
    else if (former !== amount) lines.push(`${name}: ${changeText(former, amount)}`)
  }
  for (const [name, amount] of formerAmounts) lines.push(`No longer billed: ${name}, ${amount || '–'}`)
  return lines
}
