import { z } from 'zod'
import { parseDay } from '../time/days.ts'
import type { UtcOffset } from '../time/types.ts'
import { instantOf } from '../time/wall-clock.ts'
import type { Agent, Billing, Call, CallStatus, Direction, Invoice, Raw } from './types.ts'

/**
 * The wire is lenient value by value: a value that can't be understood is kept as it came, so that one odd field never
 * costs a page. Fields that the spec doesn't name are ignored.
 */
const longest = 200

function asText(value: unknown): string {
  const text =
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}

const raw = (text: string): Raw => ({ raw: text })

/** A record that is no object at all still is a row, of which nothing is known. */
const anyRecord = z.record(z.string(), z.unknown()).catch({})
type WireRecord = z.infer<typeof anyRecord>

/** `YYYY-MM-DD hh:mm:ss AM|PM`, on a clock with the offset that the request asked for. */
export function parseDateTime(text: string, offset: UtcOffset): Date | Raw {
  const match = /^(\d{4})-(\d\d)-(\d\d) (0[1-9]|1[0-2]):([0-5]\d):([0-5]\d) ([AP])M$/i.exec(text)
  if (!match) return raw(text)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const isAfternoon = match[7]?.toUpperCase() === 'P'
  // 12 AM is midnight, 12 PM noon.
  const wall = { year, month, day, hour: (hour % 12) + (isAfternoon ? 12 : 0), minute, second }
  return instantOf(wall, offset) ?? raw(text)
}

/** `HH:MM:SS`; hours may have more than two digits. */
export function parseDuration(text: string): number | Raw {
  const match = /^(\d{2,6}):([0-5]\d):([0-5]\d)$/.exec(text)
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : raw(text)
}

function parseStatus(text: string): CallStatus | Raw {
  if (text === 'ANSWERED') return 'answered'
  return text === 'NOTANSWERED' ? 'missed' : raw(text)
}

/** Kept to the letter: a decimal that went through a float may come back as another. */
const parseCost = (text: string): string | Raw => (/^-?\d{1,18}(\.\d{1,18})?$/.test(text) ? text : raw(text))

/** The file name in `download_file.php?filename=<file>&filetype=callrecording`. */
function parseRecording(text: string): string | Raw | undefined {
  if (text === '') return undefined
  const query = /^download_file\.php\?(.*)$/.exec(text)?.[1]
  const file = query === undefined ? null : new URLSearchParams(query).get('filename')
  return file === null || file === '' ? raw(text) : file
}

export function toCall(value: unknown, direction: Direction, offset: UtcOffset): Call {
  const record: WireRecord = anyRecord.parse(value)
  return {
    id: asText(record['id']),
    direction,
    number: asText(record[direction === 'outgoing' ? 'Dialed Number' : 'DID number']),
    at: parseDateTime(asText(record['Date Time']), offset),
    seconds: parseDuration(asText(record['Duration'])),
    status: parseStatus(asText(record['Status'])),
    cost: parseCost(asText(record['Cost'])),
    recording: parseRecording(asText(record['Recording'])),
  }
}

const parseFlag = (text: string): boolean | Raw =>
  text === 'enabled' ? true : text === 'disabled' ? false : raw(text)

export function toAgent(value: unknown): Agent {
  const record = anyRecord.parse(value)
  return {
    id: asText(record['id']),
    name: asText(record['name']),
    callerId: asText(record['callerid']),
    ipRestriction: parseFlag(asText(record['ipaddress'])),
    followMe: parseFlag(asText(record['followme'])),
    sipLogin: asText(record['sip_login']),
    // These two are used, not shown in a row: cutting would break them.
    sipPassword: typeof record['sip_password'] === 'string' ? record['sip_password'] : '',
    webphone: typeof record['webphone'] === 'string' ? record['webphone'] : '',
  }
}

export function toBilling(value: unknown): Billing {
  const record = anyRecord.parse(value)
  const plan = anyRecord.parse(record['plan'])
  const addOn = anyRecord.parse(record['addon'])
  const [agents, storage, crm] = [addOn['agents'], addOn['storage'], addOn['crm']].map((v) =>
    anyRecord.parse(v),
  )
  const nextDay = asText(record['billingcycle'])
  return {
    callRoute: asText(record['call_route']),
    paymentMethod: asText(record['payment_method']),
    maskedCard: asText(record['payment_details']),
    creditLimit: asText(record['creditlimit']),
    nextBillingDay: parseDay(nextDay) ?? raw(nextDay),
    plan: {
      name: asText(plan['name']),
      price: asText(plan['price']),
      agents: asText(plan['no_of_agents']),
      storage: asText(plan['storage']),
      crm: asText(plan['crm']),
    },
    addOns: {
      agents: {
        count: asText(agents?.['no_of_agents']),
        each: asText(agents?.['price_per_agent']),
        total: asText(agents?.['total_agent_price']),
      },
      storage: {
        size: asText(storage?.['no_of_storage']),
        perGb: asText(storage?.['price_per_gb']),
        total: asText(storage?.['total_storage_price']),
      },
      // The interface itself names the CRM's total after storage.
      crm: { count: asText(crm?.['no_of_crm']), total: asText(crm?.['total_storage_price']) },
      numbers: z
        .array(anyRecord)
        .catch([])
        .parse(addOn['did'])
        .map((did) => ({
          number: asText(did['number']),
          country: asText(did['country']),
          monthly: asText(did['monthly']),
        })),
    },
    totalMonthly: asText(record['total_monthly']),
  }
}

export function toInvoice(value: unknown): Invoice {
  const record = anyRecord.parse(value)
  const day = asText(record['date'])
  return {
    id: asText(record['invoice_id']),
    day: parseDay(day) ?? raw(day),
    amount: asText(record['amount']),
    status: asText(record['status']),
    url: typeof record['invoice_url'] === 'string' ? record['invoice_url'] : '',
  }
}

/** What every operation answers with. Numbers are taken where the spec says text. */
export const envelope = z.object({
  status: z.union([z.string(), z.number()]).transform(String),
  total_record: z.unknown().optional(),
  result: z.array(z.unknown()).optional(),
})
export type Envelope = z.infer<typeof envelope>

/** `undefined` where the figure is no whole number. */
export function parseTotal(value: unknown): number | undefined {
  const text = asText(value)
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined
}
