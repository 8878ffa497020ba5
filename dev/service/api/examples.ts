import { toAgent, toBilling, toIncoming, toInvoice, toOutgoing } from '../records.ts'
import { QUIET_BILLING } from '../seeds/accounts.ts'
import { numberIn } from '../seeds/numbers.ts'
import type { ErrorBody } from './response-schemas.ts'

/** The answers that `/openapi.json` shows. Numbers are set aside for fiction; secrets are the specification's placeholders. */

const call = {
  id: '880042',
  direction: 'outgoing',
  number: numberIn('United Kingdom', 123),
  at: new Date('2026-11-05T00:04:09Z'),
  seconds: 151,
  answered: true,
  cost: '0.0125',
  recording: '20261105-000409-880042.mp3',
  agentId: '1001',
} as const

const agent = {
  id: '1001',
  name: 'Anna Smith',
  callerId: numberIn('United Kingdom', 101),
  sipLogin: 'u5101a1001',
  sipPassword: '<SIP_PASSWORD>',
  ipAddress: false,
  followMe: true,
  webphone: 'https://webphone.example/agent/phone/call?userid=5101&agent_id=1001&<TOKEN>',
}

const success = { status: '200', message: 'Success' } as const

export const successes = {
  outgoing: { ...success, total_record: '1', result: [toOutgoing(call, 0)] },
  incoming: { ...success, total_record: '1', result: [toIncoming(call, 0, [agent])] },
  billing: { ...success, result: [toBilling(QUIET_BILLING, call.at)] },
  invoices: { ...success, result: [toInvoice({ id: '410110', date: '2026-11-01', amount: '$77.00' })] },
  agents: { ...success, result: [toAgent(agent)] },
}

export const errors = {
  /** To a request without any parameter. */
  badRequest: { status: '400', message: 'Missing or invalid properties: key, secret' },
  unauthorized: { status: '401', message: 'Invalid API Key & Password' },
  other: { status: '429', message: 'As the sandbox was told' },
} as const satisfies Record<string, ErrorBody>
