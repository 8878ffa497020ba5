import { seededRandom } from '../random.ts'
import type { SandboxInvoice } from '../types.ts'
import { amount } from './billing.ts'

export interface CustomerSeed {
  readonly id: string
  readonly name: string
  /** How many months back its invoices go. */
  readonly months: number
}

/** One invoice a month, dated the first, newest first. A month's invoice has the same id whenever it is made. */
export function invoicesOf(
  seed: number,
  customer: CustomerSeed,
  symbol: string,
  now: Date,
): SandboxInvoice[] {
  const thisMonth = now.getUTCFullYear() * 12 + now.getUTCMonth()
  const serial = Number(customer.id.replace(/\D/g, ''))
  return Array.from({ length: customer.months }, (_, back) => {
    const month = thisMonth - back
    const random = seededRandom(seed, serial, month)
    return {
      id: `${serial}${month}`,
      date: new Date(Date.UTC(Math.floor(month / 12), month % 12, 1)).toISOString().slice(0, 10),
      amount: amount(symbol, 2500 + Math.floor(random() * 20_000)),
    }
  })
}
