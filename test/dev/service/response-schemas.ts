import { z } from 'zod'
import type { Operation } from '../../../dev/service/types.ts'

/** Schemas of the service's responses as the specification describes them. Every value is a string. */

const amount = z.string().regex(/^[^\d\s]\d+\.\d{2}$/)
const wholeNumber = z.string().regex(/^\d+$/)
const decimalText = z.string().regex(/^\d+(\.\d+)?$/)
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const flag = z.enum(['enabled', 'disabled'])

const callFields = {
  'Date Time': z.string().regex(/^\d{4}-\d{2}-\d{2} (0[1-9]|1[0-2]):[0-5]\d:[0-5]\d (AM|PM)$/),
  Duration: z.string().regex(/^\d{2}:[0-5]\d:[0-5]\d$/),
  Status: z.enum(['ANSWERED', 'NOTANSWERED']),
  Cost: decimalText,
  Recording: z.string().regex(/^(download_file\.php\?filename=[^&]+&filetype=callrecording)?$/),
}

const outgoingRecord = z.strictObject({ id: z.string(), 'Dialed Number': z.string(), ...callFields })

const incomingRecord = z.strictObject({
  id: z.string(),
  'DID number': z.string(),
  ...callFields,
  Answered: z.string(),
})

const agentRecord = z.strictObject({
  id: wholeNumber,
  name: z.string(),
  sip_login: z.string(),
  sip_password: z.string(),
  callerid: z.string().regex(/^\+\d+$/),
  ipaddress: flag,
  followme: flag,
  webphone: z
    .string()
    .regex(/^https:.+\/agent\/phone\/call\?userid=\d+&agent_id=\d+&from=%2B\d+&[0-9a-f]{32}$/),
})

const billingRecord = z.strictObject({
  call_route: z.string(),
  payment_method: z.string(),
  payment_details: z.string().regex(/^\d{6}\*+\d{4}$/),
  creditlimit: amount,
  billingcycle: day,
  plan: z.strictObject({
    name: z.string(),
    price: amount,
    no_of_agents: wholeNumber,
    storage: z.string().regex(/^\d+GB$/),
    crm: wholeNumber,
  }),
  addon: z.strictObject({
    agents: z.strictObject({ no_of_agents: wholeNumber, price_per_agent: amount, total_agent_price: amount }),
    storage: z.strictObject({
      no_of_storage: z.string().regex(/^\d+GB$/),
      price_per_gb: amount,
      total_storage_price: amount,
    }),
    crm: z.strictObject({ no_of_crm: wholeNumber, total_storage_price: amount }),
    did: z.array(z.strictObject({ number: z.string(), country: z.string(), monthly: amount })),
  }),
  total_monthly: amount,
})

const invoiceRecord = z.strictObject({
  invoice_id: z.string(),
  date: day,
  amount,
  status: z.literal('Proccessed'),
  invoice_url: z.string().regex(/\/customersupport\/invoice\.php\?id=\d+$/),
})

const success = { status: z.literal('200'), message: z.literal('Success') }

const toListing = <T extends z.ZodType>(record: T) =>
  z.strictObject({ ...success, total_record: wholeNumber, result: z.array(record) })

const toResult = <T extends z.ZodType>(record: T) => z.strictObject({ ...success, result: z.array(record) })

export const responseSchemas = {
  outgoing: toListing(outgoingRecord),
  incoming: toListing(incomingRecord),
  billing: toResult(billingRecord),
  invoices: toResult(invoiceRecord),
  agents: toResult(agentRecord),
} satisfies Record<Operation, z.ZodType>
