import { type CallFilter, CallLedger, type FoundCalls } from './ledger.ts'
import type { BillingFacts } from './seeds/billing.ts'
import type { CallSource } from './seeds/call-source.ts'
import { type CustomerFacts, invoicesOf } from './seeds/customers.ts'
import type { Direction, SandboxAccount, SandboxAgent, SandboxCall, SandboxCustomer } from './types.ts'

export interface AccountFacts {
  readonly name: string
  readonly key: string
  readonly secret: string
  readonly agents: readonly SandboxAgent[]
  readonly calls: CallSource
  readonly billing: BillingFacts
  readonly customers: readonly CustomerFacts[]
}

/** One account of the service, as its routes see it; tests see `SandboxAccount`. */
export class Account implements SandboxAccount {
  readonly name: string
  readonly key: string
  readonly secret: string
  readonly agents: readonly SandboxAgent[]
  readonly billing: BillingFacts
  readonly #ledger: CallLedger
  readonly #customers: readonly CustomerFacts[]
  readonly #deletions = new Map<string, number>()
  readonly #seed: number
  readonly #now: () => Date

  constructor(facts: AccountFacts, seed: number, now: () => Date) {
    this.name = facts.name
    this.key = facts.key
    this.secret = facts.secret
    this.agents = facts.agents
    this.billing = facts.billing
    this.#ledger = new CallLedger(facts.calls, now)
    this.#customers = facts.customers
    this.#seed = seed
    this.#now = now
  }

  calls(direction: Direction): readonly SandboxCall[] {
    return this.#ledger.upToNow(direction)
  }

  /** @param page counts from zero. */
  page(filter: CallFilter, page: number): FoundCalls {
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
