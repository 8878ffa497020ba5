import { addMoney, formatMoney, type Money, negateMoney, parseMoney } from '../../telephony/money.ts'
import type { Billing } from '../../telephony/wire.ts'

type Difference = { readonly kind: 'none' } | { readonly kind: 'more' | 'less'; readonly amount: string }

interface BillingTotals {
  /** Sum of the plan and every add-on. */
  readonly sum: string | undefined
  /** Difference between the service's total and the sum. */
  readonly difference: Difference | undefined
  /** Sum of the numbers. */
  readonly numbers: string | undefined
}

/** Adds up a bill; figures with an unreadable amount are `undefined`. */
export function billingTotals({ plan, addOns, totalMonthly }: Billing): BillingTotals {
  const monthly = addOns.numbers.map((number) => number.monthly)
  const sum = addTexts([plan.price, addOns.agents.total, addOns.storage.total, addOns.crm.total, ...monthly])
  const numbers = addTexts(monthly)
  return {
    sum: sum && formatMoney(sum),
    difference: sum && compareTotal(totalMonthly, sum),
    numbers: numbers && formatMoney(numbers),
  }
}

function addTexts(texts: readonly string[]) {
  const amounts = texts.map(parseMoney)
  return amounts.every((amount) => amount !== undefined) ? addMoney(amounts) : undefined
}

function compareTotal(totalMonthly: string, sum: Money): Difference | undefined {
  const total = parseMoney(totalMonthly)
  const difference = total && addMoney([total, negateMoney(sum)])
  if (!difference) return undefined
  if (difference.units === 0n) return { kind: 'none' }
  if (difference.units > 0n) return { kind: 'more', amount: formatMoney(difference) }
  return { kind: 'less', amount: formatMoney(negateMoney(difference)) }
}
