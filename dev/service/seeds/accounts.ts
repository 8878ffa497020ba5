import { Account } from '../account.ts'
import { livelyTeam, quietTeam } from './agents.ts'
import type { BillingFacts } from './billing.ts'
import { livelyCalls } from './lively.ts'
import { numberIn } from './numbers.ts'
import { quietCalls } from './quiet.ts'

export interface AccountOptions {
  readonly seed: number
  readonly calls: number
  readonly now: () => Date
}

const LIVELY_BILLING: BillingFacts = {
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

/** Its total is 45 pence more than its parts, as where the service bills something that it does not list. */
const QUIET_BILLING: BillingFacts = {
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

/** Most calls on an own number are free; on the fourth they cost. */
const LIVELY_NUMBERS = LIVELY_BILLING.addOn.numbers.map(({ number }, index) => ({
  number,
  rate: index === 3 ? 60 : 0,
}))

export function livelyAccount({ seed, calls, now }: AccountOptions): Account {
  const team = livelyTeam(seed)
  const [first = { number: '', rate: 0 }, ...others] = LIVELY_NUMBERS
  const maker = { agents: team.active, ownNumbers: [first, ...others] as const }
  const facts = {
    name: 'Larkfield Logistics',
    key: 'lively-key-5101',
    secret: 'lively-secret-27d1c0a9',
    agents: team.agents,
    calls: livelyCalls(seed, calls, now(), team, maker),
    billing: LIVELY_BILLING,
    customers: [
      { id: 'C-4101', name: 'Alder & Finch', months: 12 },
      { id: 'C-4102', name: 'Blue Heron Studio', months: 3 },
      { id: 'C-4103', name: 'Copperfield Dental', months: 0 },
    ],
  }
  return new Account(facts, seed, now)
}

/** Its secret holds every character that a query string must encode. */
export function quietAccount({ seed, now }: AccountOptions): Account {
  const agents = quietTeam(seed)
  const maker = { agents, ownNumbers: [{ number: numberIn('United Kingdom', 77), rate: 0 }] as const }
  const facts = {
    name: 'Two Rivers Bakery',
    key: 'quiet-key-5202',
    secret: 'quiet+secret/with=signs&more%20?#',
    agents,
    calls: quietCalls(seed, now(), maker),
    billing: QUIET_BILLING,
    customers: [{ id: 'C-4201', name: 'Dovecote Tea Room', months: 1 }],
  }
  return new Account(facts, seed, now)
}
