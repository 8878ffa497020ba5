import { cut } from '../../slack/blocks/blocks.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { addMoney, formatMoney, isZero, type Money, parseMoney } from '../../telephony/money.ts'
import { formatOrRaw } from '../../telephony/types.ts'
import type { Billing } from '../../telephony/wire.ts'
import { dayLabel, type LocalDay } from '../../time/days.ts'
import type { PostedBill } from '../subscriptions/schedule.ts'

// Figures and texts of a bill, not escaped.

export interface BillingItem {
  readonly name: string
  /** Text of the service; empty if it has none. */
  readonly amount: string
}

/** `Extra agents (3, $12.50 each)`, short enough for a table. @param details empty if unknown */
export function createItem(name: string, amount: string, details: readonly string[] = []): BillingItem {
  const knownDetails = details.filter((detail) => detail !== '').join(', ')
  const text = knownDetails === '' ? name : `${name} (${knownDetails})`
  return { name: cut(text, 60), amount: cut(amount, 24) }
}

/** Empty, `0` or `0GB`. */
const isNone = (value: string): boolean => /^(0\s*\D*)?$/.test(value.trim())

/** False for a part of the bill that is absent, or has no values. */
const hasContent = (part: Readonly<Record<string, string>>): boolean =>
  Object.values(part).some((value) => !isNone(value))

function addAmounts(texts: readonly string[]): Money | undefined {
  const amounts = texts.map(parseMoney)
  if (amounts.every((amount) => amount !== undefined)) return addMoney(amounts)
  return undefined
}

const subtract = (amount?: Money, other?: Money): Money | undefined =>
  amount && other && addMoney([amount, { ...other, units: -other.units }])

/** Returns the plan, and those of the add-ons that cost something. */
function listBilled({ plan }: Billing, addOns: readonly BillingItem[]): readonly BillingItem[] {
  const name = plan.name === '' ? 'Plan' : `${plan.name} plan`
  return [createItem(name, plan.price), ...addOns.filter(({ amount }) => !isZero(amount))]
}

/** Returns the add-ons besides numbers. */
function listExtras({ addOns }: Billing) {
  const { agents, storage, crm } = addOns
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

/** Names each number, and says how many there are of other add-ons. */
export function listItems(billing: Billing, lines: LineNames): readonly BillingItem[] {
  const items = listExtras(billing).map(({ name, amount, details }) => createItem(name, amount, details))
  for (const { number, country, monthly } of listNumbers(billing)) {
    const name = lines.getName(number)
    const formatted = lines.format(number)
    if (name === undefined) items.push(createItem('Number', monthly, [formatted, country]))
    else items.push(createItem(name, monthly, [formatted]))
  }
  return listBilled(billing, items)
}

/** Items as a channel sees them: without details, and with one total for all numbers. */
export function listSubtotals(billing: Billing): readonly BillingItem[] {
  const items = listExtras(billing).map(({ name, amount }) => createItem(name, amount))
  const numbers = listNumbers(billing)
  if (numbers.length > 0) {
    const total = addAmounts(numbers.map(({ monthly }) => monthly))
    items.push(createItem('Numbers', total ? formatMoney(total) : ''))
  }
  return listBilled(billing, items)
}

/** `Visa ending 4242`, `Card ending 4242`; as the service wrote it if it doesn't end with four digits. */
export function paymentText({ paymentMethod, maskedCard }: Billing): string {
  const lastDigits = /\d{4}$/.exec(maskedCard)?.[0]
  if (lastDigits === undefined) return `${paymentMethod} ${maskedCard}`.trim()
  return `${paymentMethod || 'Card'} ending ${lastDigits}`
}

/** `15 Dec 2026`; as the service wrote it if that isn't a day. */
export const nextDateText = ({ nextBillingDay: day }: Billing): string => formatOrRaw(day, dayLabel).trim()

/** `✓ Items add up to the total.` */
export function checkText(billing: Billing): string {
  const { totalMonthly } = billing
  const sum = addAmounts(listSubtotals(billing).map(({ amount }) => amount))
  const difference = subtract(parseMoney(totalMonthly), sum)
  if (!sum || !difference) return "Not every amount could be read, so the total wasn't checked."
  if (difference.units === 0n) return '✓ Items add up to the total.'
  return `⚠ Items add up to ${formatMoney(sum)}, but the total is ${totalMonthly}. Ask your phone provider about the difference.`
}

/** `Agents: 10 · Storage: 50GB · CRMs: 1`; empty if the service names nothing. */
export function includedText({ plan }: Billing): string {
  const counts = Object.entries({ Agents: plan.agents, Storage: plan.storage, CRMs: plan.crm })
  const included = counts.filter(([, count]) => !isNone(count))
  return included.map(([name, count]) => `${name}: ${count}`).join(' · ')
}

export const creditLimitText = ({ creditLimit }: Billing): string => (isZero(creditLimit) ? '' : creditLimit)

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
    const formerAmount = formerAmounts.get(name)
    formerAmounts.delete(name)
    if (formerAmount === undefined) lines.push(`New: ${name}, ${amount || '–'}`)
    else if (formerAmount !== amount) lines.push(`${name}: ${changeText(formerAmount, amount)}`)
  }
  // The items that are left aren't in the new bill.
  for (const [name, amount] of formerAmounts) lines.push(`No longer billed: ${name}, ${amount || '–'}`)
  return lines
}
