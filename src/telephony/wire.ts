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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/**
 * The fields of one of the spec's records, each whatever it is (wire-values.ts reads it); what is no object at all is a
 * record of which nothing is known.
 */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

export function toCall(value: unknown, direction: Direction, offset: UtcOffset): Call {
  const record = fieldsOf(value)
  return {
    id: displayText(record.id),
    direction,
    number: displayText(record[direction === 'outgoing' ? 'Dialed Number' : 'DID number']),
    at: parseDateTime(record['Date Time'], offset),
    seconds: parseDuration(record.Duration),
    status: parseStatus(record.Status),
    cost: parseCost(record.Cost),
    recording: parseRecording(record.Recording),
    answered: record.Answered === undefined ? undefined : displayText(record.Answered),
  }
}

export function toAgent(value: unknown): Agent {
  const record = fieldsOf(value)
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
  const record = fieldsOf(value)
  const plan = fieldsOf(record.plan)
  const addOn = fieldsOf(record.addon)
  const agents = fieldsOf(addOn.agents)
  const storage = fieldsOf(addOn.storage)
  const crm = fieldsOf(addOn.crm)
  const numbers = Array.isArray(addOn.did) ? addOn.did.map(fieldsOf) : []
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
      // The interface itself names the CRM's total after storage.
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
  const record = fieldsOf(value)
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
  total_record: z.unknown().optional(),
  result: z.unknown().optional(),
})
