import type { z } from '@hono/zod-openapi'
import type {
  agentRecord,
  billingRecord,
  ErrorBody,
  incomingRecord,
  invoiceRecord,
  outgoingRecord,
} from './response-schemas.ts'

/** The answers that `/openapi.json` shows. Numbers are set aside for fiction; secrets are the specification's placeholders. */

const outgoingCall: z.infer<typeof outgoingRecord> = {
  id: '880042',
  'Dialed Number': '+442079460123',
  'Date Time': '2026-11-05 12:04:09 AM',
  Duration: '00:02:31',
  Status: 'ANSWERED',
  Cost: '0.0125',
  Recording: 'download_file.php?filename=20261105-000409-880042.mp3&filetype=callrecording',
}

const incomingCall: z.infer<typeof incomingRecord> = {
  id: '880041',
  'DID number': '+12025550143',
  'Date Time': '2026-11-04 11:58:30 PM',
  Duration: '00:00:00',
  Status: 'NOTANSWERED',
  Cost: '0',
  Recording: '',
  Answered: '',
}

const agent: z.infer<typeof agentRecord> = {
  id: '1001',
  name: 'Anna Smith',
  sip_login: 'u5101a1001',
  sip_password: '<SIP_PASSWORD>',
  callerid: '+442079460101',
  ipaddress: 'disabled',
  followme: 'enabled',
  webphone:
    'https://webphone.example/agent/phone/call?userid=5101&agent_id=1001&from=%2B442079460101&<TOKEN>',
}

const billing: z.infer<typeof billingRecord> = {
  call_route: 'Normal',
  payment_method: 'Visa',
  payment_details: '411111******1111',
  creditlimit: '$500.00',
  billingcycle: '2026-11-15',
  plan: { name: 'Team', price: '$49.00', no_of_agents: '10', storage: '5GB', crm: '1' },
  addon: {
    agents: { no_of_agents: '2', price_per_agent: '$4.50', total_agent_price: '$9.00' },
    storage: { no_of_storage: '10GB', price_per_gb: '$0.50', total_storage_price: '$5.00' },
    crm: { no_of_crm: '1', total_storage_price: '$12.00' },
    did: [{ number: '+12025550143', country: 'United States', monthly: '$2.00' }],
  },
  total_monthly: '$77.00',
}

const invoice: z.infer<typeof invoiceRecord> = {
  invoice_id: '410110',
  date: '2026-11-01',
  amount: '$77.00',
  status: 'Proccessed',
  invoice_url: 'https://billing.example/customersupport/invoice.php?id=410110',
}

const success = { status: '200', message: 'Success' } as const

export const successes = {
  outgoing: { ...success, total_record: '1', result: [outgoingCall] },
  incoming: { ...success, total_record: '1', result: [incomingCall] },
  billing: { ...success, result: [billing] },
  invoices: { ...success, result: [invoice] },
  agents: { ...success, result: [agent] },
}

export const errors = {
  /** To a request without any parameter. */
  badRequest: { status: '400', message: 'Missing or invalid properties: key, secret' },
  unauthorized: { status: '401', message: 'Invalid API Key & Password' },
  other: { status: '429', message: 'As the sandbox was told' },
} as const satisfies Record<string, ErrorBody>
