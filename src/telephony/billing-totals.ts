import { addMoney, formatMoney, negateMoney, parseMoney } from './money.ts'
import type { Billing } from './types.ts'

/** Amounts as the service writes them. */
export interface BillingTotals {
  /** The plan and every add-on, added up; `undefined` where an amount can't be read. */
  readonly sum: string | undefined
  /** The service's total less the sum; `undefined` where they are the same or can't be compared. */
  readonly difference: string | undefined
  /** The numbers alone, added up; `undefined` where an amount can't be read. */
  readonly numbers: string | undefined
}

/** What the service's total should be, exactly, and how far it is from that. */
export function billingTotals({ plan, addOns, totalMonthly }: Billing): BillingTotals {
  const monthly = addOns.numbers.map((number) => number.monthly)
  const sum = sumOf([plan.price, addOns.agents.total, addOns.storage.total, addOns.crm.total, ...monthly])
  const total = parseMoney(totalMonthly)
  const difference = sum && total ? addMoney([total, negateMoney(sum)]) : undefined
  const numbers = sumOf(monthly)
  return {
    sum: sum && formatMoney(sum),
    difference: difference && difference.units !== 0n ? formatMoney(difference) : undefined,
    numbers: numbers && formatMoney(numbers),
  }
}

function sumOf(texts: readonly string[]) {
  const amounts = texts.map(parseMoney)
  return amounts.every((amount) => amount !== undefined) ? addMoney(amounts) : undefined
}
