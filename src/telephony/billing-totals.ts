import { addMoney, formatMoney, type Money, negateMoney, parseMoney } from './money.ts'
import type { Billing } from './types.ts'

/** The amount is without a sign. */
export type Difference =
  | { readonly kind: 'none' }
  | { readonly kind: 'more' | 'less'; readonly amount: string }

/** Amounts as the service writes them. */
export interface BillingTotals {
  /** The plan and every add-on, added up; `undefined` where an amount can't be read. */
  readonly sum: string | undefined
  /** How far the service's total is from the sum; `undefined` where the two can't be compared. */
  readonly difference: Difference | undefined
  /** The numbers alone, added up; `undefined` where an amount can't be read. */
  readonly numbers: string | undefined
}

/** What the service's total should be, exactly, and how far it is from that. */
export function billingTotals({ plan, addOns, totalMonthly }: Billing): BillingTotals {
  const monthly = addOns.numbers.map((number) => number.monthly)
  const sum = sumOf([plan.price, addOns.agents.total, addOns.storage.total, addOns.crm.total, ...monthly])
  const numbers = sumOf(monthly)
  return {
    sum: sum && formatMoney(sum),
    difference: sum && differenceOf(totalMonthly, sum),
    numbers: numbers && formatMoney(numbers),
  }
}

function sumOf(texts: readonly string[]) {
  const amounts = texts.map(parseMoney)
  return amounts.every((amount) => amount !== undefined) ? addMoney(amounts) : undefined
}

function differenceOf(totalMonthly: string, sum: Money): Difference | undefined {
  const total = parseMoney(totalMonthly)
  const difference = total && addMoney([total, negateMoney(sum)])
  if (!difference) return undefined
  if (difference.units === 0n) return { kind: 'none' }
  return difference.units > 0n
    ? { kind: 'more', amount: formatMoney(difference) }
    : { kind: 'less', amount: formatMoney(negateMoney(difference)) }
}
