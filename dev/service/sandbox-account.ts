import { type CallFilter, CallLedger, type CallPage } from './call-ledger.ts'
import { type MissedCall, MissedCallMaker } from './missed-calls.ts'
import { seededRandom } from './random.ts'
import { amount, type BillingTerms } from './seeds/billing.ts'
import type { CallSource } from './seeds/call-maker.ts'
import type { Direction, SandboxAgent, SandboxCall, SandboxCustomer, SandboxInvoice } from './types.ts'

interface CustomerSeed {
  readonly id: string
  readonly name: string
  /** How many months back its invoices go. */
  readonly months: number
}

/** One invoice a month, dated the first, newest first. A month's invoice has the same id whenever it is made. */
function invoicesOf(seed: number, customer: CustomerSeed, symbol: string, now: Date): SandboxInvoice[] {
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

/** One account of the service. */
export class SandboxAccount {
  readonly name: string
  readonly key: string
  readonly secret: string
  readonly agents: readonly SandboxAgent[]
  readonly billing: BillingTerms
  readonly #ledger: CallLedger
  readonly #missedCalls: MissedCallMaker
  readonly #customers: readonly CustomerSeed[]
  readonly #deletions = new Map<string, number>()
  readonly #seed: number
  readonly #now: () => Date

  constructor(
    fields: Pick<SandboxAccount, 'name' | 'key' | 'secret' | 'agents' | 'billing'> & {
      readonly calls: CallSource
      readonly customers: readonly CustomerSeed[]
    },
    seed: number,
    now: () => Date,
  ) {
    this.name = fields.name
    this.key = fields.key
    this.secret = fields.secret
    this.agents = fields.agents
    this.billing = fields.billing
    this.#ledger = new CallLedger(fields.calls, now)
    this.#missedCalls = new MissedCallMaker(seed, {
      lines: fields.billing.addOn.numbers.map(({ number }) => number),
      agentIds: fields.agents.map(({ id }) => id),
    })
    this.#customers = fields.customers
    this.#seed = seed
    this.#now = now
  }

  /** Every call up to now, newest first. */
  calls(direction: Direction): readonly SandboxCall[] {
    return this.#ledger.upToNow(direction)
  }

  /** As if these had been made, whenever they say. */
  addCalls(...calls: readonly SandboxCall[]): void {
    this.#ledger.insert(calls)
  }

  /**
   * Somebody calls now, and nobody answers. The service shows the call from now on.
   *
   * @throws RangeError for a line or an agent that the account doesn't have
   */
  missCall(missed: MissedCall = {}): SandboxCall {
    const call = this.#missedCalls.make(this.#now(), missed)
    this.#ledger.insert([call])
    return call
  }

  /** As many at once, in the order in which they came. */
  missCalls(count: number, missed: MissedCall = {}): readonly SandboxCall[] {
    const calls = Array.from({ length: count }, () => this.#missedCalls.make(this.#now(), missed))
    this.#ledger.insert(calls)
    return calls
  }

  removeCall(call: Pick<SandboxCall, 'direction' | 'id'>): void {
    this.#ledger.remove(call)
  }

  /** @param page counts from zero. */
  page(filter: CallFilter, page: number): CallPage {
    return this.#ledger.page(filter, page)
  }

  get customers(): readonly SandboxCustomer[] {
    return this.#customers.map((customer) => {
      const deletions = this.#deletions.get(customer.id) ?? 0
      const invoices = invoicesOf(this.#seed, customer, this.billing.symbol, this.#now())
      return { id: customer.id, name: customer.name, deletions, deleted: deletions > 0, invoices }
    })
  }

  /** Marks a customer as deleted and returns it as it is then; every call counts. */
  deleteCustomer(id: string): SandboxCustomer | undefined {
    if (!this.#customers.some((customer) => customer.id === id)) return undefined
    this.#deletions.set(id, (this.#deletions.get(id) ?? 0) + 1)
    return this.customers.find((customer) => customer.id === id)
  }
}
