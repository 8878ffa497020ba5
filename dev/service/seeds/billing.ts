import type { Country } from './numbers.ts'

/** Billing of an account, with amounts in hundredths. */
export interface BillingTerms {
  readonly symbol: string
  readonly callRoute: string
  readonly paymentMethod: string
  readonly maskedCard: string
  readonly creditLimit: number
  /** Day of the month, at most 28. */
  readonly cycleDay: number
  readonly plan: { name: string; price: number; agents: number; storageGb: number; crm: number }
  readonly addOn: {
    agents: { count: number; each: number }
    storage: { gb: number; perGb: number }
    crm: { count: number; total: number }
    numbers: readonly { number: string; country: Country; monthly: number }[]
  }
  /** Difference of the total from the sum of its parts. */
  readonly difference: number
}

export function billingParts({ plan, addOn, difference }: BillingTerms) {
  const agents = addOn.agents.count * addOn.agents.each
  const storage = addOn.storage.gb * addOn.storage.perGb
  const numbers = addOn.numbers.reduce((sum, { monthly }) => sum + monthly, 0)
  return { agents, storage, total: plan.price + agents + storage + addOn.crm.total + numbers + difference }
}

/** Formats hundredths: 4900 with `$` is `$49.00`. */
export function amount(symbol: string, hundredths: number): string {
  const cents = String(hundredths % 100).padStart(2, '0')
  return `${symbol}${Math.floor(hundredths / 100)}.${cents}`
}

/** Returns the first day of the billing cycle after an instant, as `YYYY-MM-DD`. */
export function nextCycleDay(now: Date, cycleDay: number): string {
  const months = now.getUTCDate() < cycleDay ? 0 : 1
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, cycleDay))
    .toISOString()
    .slice(0, 10)
}
