import { z } from 'zod'
import type { UtcOffset } from '../time/types.ts'
import { parseRecording } from './recordings.ts'
import type { Agent, Billing, Call, Direction, Invoice } from './types.ts'
import {
  displayText,
  exactText,
  parseCost,
  parseDate,
  parseDateTime,
  parseDuration,
  parseFlag,
  parseStatus,
} from './wire-values.ts'

/**
 * The spec's records, field by field, each field whatever it is (wire-values.ts reads it). Fields that the spec doesn't
 * name are left out; what is no object at all is a record of which nothing is known.
 */
const any = z.unknown().optional()

const callRecord = z.object({
  id: any,
  'Dialed Number': any,
  'DID number': any,
  'Date Time': any,
  Duration: any,
  Status: any,
  Cost: any,
  Recording: any,
})

const agentRecord = z.object({
  id: any,
  name: any,
  sip_login: any,
  sip_password: any,
  callerid: any,
  ipaddress: any,
  followme: any,
  webphone: any,
})

const billingRecord = z.object({
  call_route: any,
  payment_method: any,
  payment_details: any,
  creditlimit: any,
  billingcycle: any,
  plan: any,
  addon: any,
  total_monthly: any,
})
const planRecord = z.object({ name: any, price: any, no_of_agents: any, storage: any, crm: any })
const addOnRecord = z.object({ agents: any, storage: any, crm: any, did: any })
const agentsRecord = z.object({ no_of_agents: any, price_per_agent: any, total_agent_price: any })
const storageRecord = z.object({ no_of_storage: any, price_per_gb: any, total_storage_price: any })
// The interface itself names the CRM's total after storage.
const crmRecord = z.object({ no_of_crm: any, total_storage_price: any })
const numberRecord = z.object({ number: any, country: any, monthly: any })
const invoiceRecord = z.object({ invoice_id: any, date: any, amount: any, status: any, invoice_url: any })

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : schema.parse({})
}

export function toCall(value: unknown, direction: Direction, offset: UtcOffset): Call {
  const record = read(callRecord, value)
  return {
    id: displayText(record.id),
    direction,
    number: displayText(record[direction === 'outgoing' ? 'Dialed Number' : 'DID number']),
    at: parseDateTime(record['Date Time'], offset),
    seconds: parseDuration(record.Duration),
    status: parseStatus(record.Status),
    cost: parseCost(record.Cost),
    recording: parseRecording(record.Recording),
  }
}

export function toAgent(value: unknown): Agent {
  const record = read(agentRecord, value)
  return {
    id: displayText(record.id),
    name: displayText(record.name),
    callerId: displayText(record.callerid),
    ipRestriction: parseFlag(record.ipaddress),
    followMe: parseFlag(record.followme),
    sipLogin: exactText(record.sip_login),
    sipPassword: exactText(record.sip_password),
    webphone: exactText(record.webphone),
  }
}

export function toBilling(value: unknown): Billing {
  const record = read(billingRecord, value)
  const plan = read(planRecord, record.plan)
  const addOn = read(addOnRecord, record.addon)
  const agents = read(agentsRecord, addOn.agents)
  const storage = read(storageRecord, addOn.storage)
  const crm = read(crmRecord, addOn.crm)
  const numbers = Array.isArray(addOn.did) ? addOn.did.map((number) => read(numberRecord, number)) : []
  return {
    callRoute: displayText(record.call_route),
    paymentMethod: displayText(record.payment_method),
    maskedCard: displayText(record.payment_details),
    creditLimit: displayText(record.creditlimit),
    nextBillingDay: parseDate(record.billingcycle),
    plan: {
      name: displayText(plan.name),
      price: displayText(plan.price),
      agents: displayText(plan.no_of_agents),
      storage: displayText(plan.storage),
      crm: displayText(plan.crm),
    },
    addOns: {
      agents: {
        count: displayText(agents.no_of_agents),
        each: displayText(agents.price_per_agent),
        total: displayText(agents.total_agent_price),
      },
      storage: {
        size: displayText(storage.no_of_storage),
        perGb: displayText(storage.price_per_gb),
        total: displayText(storage.total_storage_price),
      },
      crm: { count: displayText(crm.no_of_crm), total: displayText(crm.total_storage_price) },
      numbers: numbers.map(({ number, country, monthly }) => ({
        number: displayText(number),
        country: displayText(country),
        monthly: displayText(monthly),
      })),
    },
    totalMonthly: displayText(record.total_monthly),
  }
}

export function toInvoice(value: unknown): Invoice {
  const record = read(invoiceRecord, value)
  return {
    id: displayText(record.invoice_id),
    day: parseDate(record.date),
    amount: displayText(record.amount),
    status: displayText(record.status),
    url: exactText(record.invoice_url),
  }
}

/** What every operation responds with. Numbers are taken where the spec says text. */
export const envelope = z.object({
  status: z.union([z.string(), z.number()]),
  total_record: any,
  result: any,
})
