import { formatDuration, formatTime } from './api/wire-time.ts'
import { amount, type BillingTerms, billingParts, nextCycleDay } from './seeds/billing.ts'
import type { SandboxAgent, SandboxCall, SandboxInvoice } from './types.ts'

/** Converts calls, agents, bills and invoices to the service's format. */

const RECORDING = 'download_file.php?filename='

function callFields(call: SandboxCall, offsetMinutes: number) {
  return {
    'Date Time': formatTime(call.at, offsetMinutes),
    Duration: formatDuration(call.seconds),
    Status: call.answered ? ('ANSWERED' as const) : ('NOTANSWERED' as const),
    Cost: call.cost,
    Recording: call.recording && `${RECORDING}${encodeURIComponent(call.recording)}&filetype=callrecording`,
  }
}

export function toOutgoing(call: SandboxCall, offsetMinutes: number) {
  return { id: call.id, 'Dialed Number': call.number, ...callFields(call, offsetMinutes) }
}

export function toIncoming(call: SandboxCall, offsetMinutes: number, agents: readonly SandboxAgent[]) {
  const login = call.answered ? agents.find(({ id }) => id === call.agentId)?.sipLogin : undefined
  return { id: call.id, 'DID number': call.number, ...callFields(call, offsetMinutes), Answered: login ?? '' }
}

export function toAgent(agent: SandboxAgent) {
  return {
    id: agent.id,
    name: agent.name,
    sip_login: agent.sipLogin,
    sip_password: agent.sipPassword,
    callerid: agent.callerId,
    ipaddress: agent.ipAddress ? 'enabled' : 'disabled',
    followme: agent.followMe ? 'enabled' : 'disabled',
    webphone: agent.webphone,
  }
}

export function toBilling(terms: BillingTerms, now: Date) {
  const money = (hundredths: number) => amount(terms.symbol, hundredths)
  const { plan, addOn } = terms
  const parts = billingParts(terms)
  return {
    call_route: terms.callRoute,
    payment_method: terms.paymentMethod,
    payment_details: terms.maskedCard,
    creditlimit: money(terms.creditLimit),
    billingcycle: nextCycleDay(now, terms.cycleDay),
    plan: {
      name: plan.name,
      price: money(plan.price),
      no_of_agents: String(plan.agents),
      storage: `${plan.storageGb}GB`,
      crm: String(plan.crm),
    },
    addon: {
      agents: {
        no_of_agents: String(addOn.agents.count),
        price_per_agent: money(addOn.agents.each),
        total_agent_price: money(parts.agents),
      },
      storage: {
        no_of_storage: `${addOn.storage.gb}GB`,
        price_per_gb: money(addOn.storage.perGb),
        total_storage_price: money(parts.storage),
      },
      crm: { no_of_crm: String(addOn.crm.count), total_storage_price: money(addOn.crm.total) },
      did: addOn.numbers.map(({ number, country, monthly }) => ({
        number,
        country,
        monthly: money(monthly),
      })),
    },
    total_monthly: money(parts.total),
  }
}

export function toInvoice(invoice: SandboxInvoice) {
  return {
    invoice_id: invoice.id,
    date: invoice.date,
    amount: invoice.amount,
    status: 'Proccessed',
    invoice_url: `https://billing.example/customersupport/invoice.php?id=${invoice.id}`,
  }
}
