import type { Billing } from './types.ts'
import { addMoney, negated, parseMoney, showMoney } from './money.ts'

export interface Totals {
  /** The plan and every add-on, added up; `undefined` where an amount can't be read. */
  readonly sum: string | undefined
  /** The total less the sum, where they differ. */
  readonly difference: string | undefined
  readonly numbers: string | undefined
}

/** What the service's total should be, exactly, and how far it is from that. */
export function totalsOf({ plan, addOns, totalMonthly }: Billing): Totals {
  const sumOf = (texts: readonly string[]) => {
    const amounts = texts.map(parseMoney)
    return amounts.every((one) => one !== undefined) ? addMoney(amounts) : undefined
  }
  const monthly = addOns.numbers.map((number) => number.monthly)
  const sum = sumOf([plan.price, addOns.agents.total, addOns.storage.total, addOns.crm.total, ...monthly])
  const total = parseMoney(totalMonthly)
  const difference = sum && total ? addMoney([total, negated(sum)]) : undefined
  const numbers = sumOf(monthly)
  return {
    sum: sum && showMoney(sum),
    difference: difference && difference.units !== 0n ? showMoney(difference) : undefined,
    numbers: numbers && showMoney(numbers),
  }
}
