import { dayMs } from '../../src/util/units.ts'
import { type CallFilter, CallLedger, type CallPage } from './call-ledger.ts'
import { pick, seededRandom } from './random.ts'
import { amount, type BillingTerms } from './seeds/billing.ts'
import { type CallSource, callId } from './seeds/call-maker.ts'
import type { Direction, SandboxAgent, SandboxCall, SandboxCustomer, SandboxInvoice } from './types.ts'

interface CustomerSeed {
  readonly id: string
  readonly name: string
  readonly months: number
}

/** One invoice per month, dated the first, newest first. Its id depends only on the month. */
function createInvoices(seed: number, customer: CustomerSeed, symbol: string, now: Date): SandboxInvoice[] {
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

/** Positions within a day's ids that no other call has: a hundred thousand per second. */
const FIRST_MISSED_PLACE = 10_000 * 100_000

/** Details of a missed call. */
interface MissedCall {
  /** One of the account's numbers in the service's format; by default, any of them. */
  readonly line?: string | undefined
  /** Without an id, filters by agent don't find the call. */
  readonly agentId?: string | undefined
}

export class SandboxAccount {
  readonly name: string
  readonly key: string
  readonly secret: string
  readonly agents: readonly SandboxAgent[]
  readonly billing: BillingTerms
  readonly #createCalls: () => CallSource
  #createdLedger: CallLedger | undefined
  /** The latest second with missed calls, and their number. */
  #missed = { second: 0, count: 0 }
  readonly #customers: readonly CustomerSeed[]
  readonly #deletions = new Map<string, number>()
  readonly #seed: number
  readonly #now: () => Date

  constructor(
    fields: Pick<SandboxAccount, 'name' | 'key' | 'secret' | 'agents' | 'billing'> & {
      readonly calls: () => CallSource
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
    this.#createCalls = fields.calls
    this.#customers = fields.customers
    this.#seed = seed
    this.#now = now
  }

  /** Created when it is first needed, because ninety days of calls take 10 ms. */
  get #ledger(): CallLedger {
    this.#createdLedger ??= new CallLedger(this.#createCalls(), this.#now)
    return this.#createdLedger
  }

  calls(direction: Direction): readonly SandboxCall[] {
    return this.#ledger.upToNow(direction)
  }

  /** Adds calls at any time. */
  addCalls(...calls: readonly SandboxCall[]): void {
    this.#ledger.insert(calls)
  }

  /**
   * Adds missed calls at the current time. Their ids and lines depend on the second and on the number of calls before them in
   * it, so that another run makes the same calls at the same times, and a later run repeats no id.
   *
   * @throws {RangeError} for a line or an agent that the account doesn't have
   */
  missCalls(count: number, { line, agentId = '' }: MissedCall = {}): readonly SandboxCall[] {
    const [first = '', ...others] = this.billing.addOn.numbers.map(({ number }) => number)
    if (line !== undefined && ![first, ...others].includes(line))
      throw new RangeError('the account has no such line')
    if (agentId !== '' && !this.agents.some(({ id }) => id === agentId))
      throw new RangeError('the account has no such agent')
    const second = Math.floor(this.#now().getTime() / 1000)
    if (second !== this.#missed.second) this.#missed = { second, count: 0 }
    const at = new Date(second * 1000)
    const calls = Array.from({ length: count }, (): SandboxCall => {
      const made = this.#missed.count++
      const place = FIRST_MISSED_PLACE + (second % (dayMs / 1000)) * 100_000 + made
      const number = line ?? pick(seededRandom(this.#seed, second, made), [first, ...others])
      const missed = { seconds: 0, answered: false, cost: '0', recording: '' }
      return { id: callId(at, place), direction: 'incoming', number, at, agentId, ...missed }
    })
    this.#ledger.insert(calls)
    return calls
  }

  /** Suppresses missed calls for some time, except those that are inserted. */
  missNothingFor(ms: number): void {
    const now = this.#now().getTime()
    this.#ledger.removeWhere('incoming', ({ at, answered }) => {
      return !answered && at.getTime() > now && at.getTime() <= now + ms
    })
  }

  removeCall(call: Pick<SandboxCall, 'direction' | 'id'>): void {
    this.#ledger.removeWhere(call.direction, ({ id }) => id === call.id)
  }

  /** @param page counts from zero */
  page(filter: CallFilter, page: number): CallPage {
    return this.#ledger.page(filter, page)
  }

  get customers(): readonly SandboxCustomer[] {
    return this.#customers.map((customer) => {
      const deletions = this.#deletions.get(customer.id) ?? 0
      const invoices = createInvoices(this.#seed, customer, this.billing.symbol, this.#now())
      return { id: customer.id, name: customer.name, deletions, deleted: deletions > 0, invoices }
    })
  }

  /** Marks a customer as deleted and returns the record, which counts the calls of the operation. */
  deleteCustomer(id: string): SandboxCustomer | undefined {
    if (!this.#customers.some((customer) => customer.id === id)) return undefined
    this.#deletions.set(id, (this.#deletions.get(id) ?? 0) + 1)
    return this.customers.find((customer) => customer.id === id)
  }
}
