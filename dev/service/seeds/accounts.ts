import { seededRandom } from '../random.ts'
import { SandboxAccount } from '../sandbox-account.ts'
import { livelyAgents, quietAgents } from './agents.ts'
import type { BillingTerms } from './billing.ts'
import { CallMaker, type CallSource, callId } from './call-maker.ts'
import { getDayNumber, startOfDay } from './days.ts'
import { livelyCalls } from './lively-calls.ts'
import { numberIn } from './numbers.ts'

/** Days before today, and the minute of that day in UTC. */
const CALLS = [
  { daysAgo: 40, minute: 605, answerRate: 1 },
  { daysAgo: 9, minute: 902, answerRate: 0 },
  { daysAgo: 1, minute: 700, answerRate: 1 },
] as const

/** Three incoming calls and nothing else, no matter how long the sandbox runs. */
function quietCalls(seed: number, now: Date, maker: CallMaker): CallSource {
  const today = getDayNumber(now)
  const others = CALLS.map(({ daysAgo, minute, answerRate }, place) => {
    const day = today - daysAgo
    const at = new Date(startOfDay(day).getTime() + minute * 60_000)
    const random = seededRandom(seed, day, place)
    return maker.make(random, callId(at, place), { at, direction: 'incoming', answerRate })
  })
  return { firstDay: today, others, ofDay: () => [] }
}

const LIVELY_BILLING: BillingTerms = {
  symbol: '$',
  callRoute: 'Normal',
  paymentMethod: 'Visa',
  maskedCard: '424242******4242',
  creditLimit: 50_000,
  cycleDay: 15,
  plan: { name: 'Business Plus', price: 14_900, agents: 10, storageGb: 50, crm: 1 },
  addOn: {
    agents: { count: 3, each: 1250 },
    storage: { gb: 25, perGb: 35 },
    crm: { count: 2, total: 3000 },
    numbers: [
      { number: numberIn('United States', 42), country: 'United States', monthly: 300 },
      { number: numberIn('United Kingdom', 42), country: 'United Kingdom', monthly: 450 },
      { number: numberIn('Germany', 42), country: 'Germany', monthly: 599 },
      { number: numberIn('France', 42), country: 'France', monthly: 625 },
    ],
  },
  difference: 0,
}

/** The total is 45 pence above the sum of its parts, as if the service billed something unlisted. */
export const QUIET_BILLING: BillingTerms = {
  symbol: '£',
  callRoute: 'Premium',
  paymentMethod: 'MasterCard',
  maskedCard: '555555******4444',
  creditLimit: 5000,
  cycleDay: 1,
  plan: { name: 'Starter', price: 1900, agents: 1, storageGb: 5, crm: 0 },
  addOn: {
    agents: { count: 0, each: 1250 },
    storage: { gb: 0, perGb: 35 },
    crm: { count: 0, total: 0 },
    numbers: [
      { number: numberIn('United Kingdom', 77), country: 'United Kingdom', monthly: 450 },
      { number: numberIn('France', 77), country: 'France', monthly: 625 },
      { number: numberIn('United States', 77), country: 'United States', monthly: 300 },
    ],
  },
  difference: 45,
}

export function livelyAccount(
  seed: number,
  now: () => Date,
  amounts: { readonly calls: number; readonly missedADay: number },
): SandboxAccount {
  const agents = livelyAgents(seed)
  // Calls on most of the account's numbers are free; on the fourth they have a cost.
  const [first = { number: '', rate: 0 }, ...others] = LIVELY_BILLING.addOn.numbers.map(
    ({ number }, index) => ({ number, rate: index === 3 ? 60 : 0 }),
  )
  const maker = new CallMaker(agents.active, [first, ...others])
  const createdAt = now()
  const fields = {
    name: 'Larkfield Logistics',
    key: 'lively-key-5101',
    secret: 'lively-secret-27d1c0a9',
    agents: agents.all,
    calls: () => livelyCalls(seed, amounts, createdAt, agents, maker),
    billing: LIVELY_BILLING,
    customers: [
      { id: 'C-4101', name: 'Alder & Finch', months: 12 },
      { id: 'C-4102', name: 'Blue Heron Studio', months: 3 },
      { id: 'C-4103', name: 'Copperfield Dental', months: 0 },
    ],
  }
  return new SandboxAccount(fields, seed, now)
}

/** The secret contains every character that a query string must encode. */
export function quietAccount(seed: number, now: () => Date): SandboxAccount {
  const agents = quietAgents(seed)
  const maker = new CallMaker(agents, [{ number: numberIn('United Kingdom', 77), rate: 0 }])
  const createdAt = now()
  const fields = {
    name: 'Two Rivers Bakery',
    key: 'quiet-key-5202',
    secret: 'quiet+secret/with=signs&more%20?#',
    agents,
    calls: () => quietCalls(seed, createdAt, maker),
    billing: QUIET_BILLING,
    customers: [{ id: 'C-4201', name: 'Dovecote Tea Room', months: 1 }],
  }
  return new SandboxAccount(fields, seed, now)
}
