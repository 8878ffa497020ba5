import { z } from 'zod'
import { type LocalDay, pad2, parseDay } from '../time/days.ts'
import { toInstant, type UtcOffset } from '../time/zones.ts'
import { isBlank, takeStart } from '../util/text.ts'
import { dayMs, type EpochMs, type Milliseconds } from '../util/units.ts'
import * as types from './types.ts'

/** `undefined` parameters aren't sent. */
export type ServiceParameters = Readonly<Record<string, string | undefined>>

export const endpoints = {
  outgoing: { method: 'POST', path: '/outgoing' },
  incoming: { method: 'GET', path: '/incoming' },
  agents: { method: 'GET', path: '/agent/list' },
  billing: { method: 'GET', path: '/billing/details' },
  invoices: { method: 'POST', path: '/billing/invoice' },
} as const satisfies Record<types.Operation, object>

const STATUS_NAMES = { answered: 'Answered', missed: 'Not Answered' }

/** `DD-MM-YYYY` (spec, "Outgoing call records") */
const toServiceDay = (day: LocalDay | undefined) => day?.split('-').reverse().join('-')

/** @throws {RangeError} if the page is not a whole number from 1 */
export function toParameters(query: types.CallQuery): ServiceParameters {
  const { direction, offset, from, to, status, agentId, page } = query
  if (!Number.isSafeInteger(page) || page < 1) throw new RangeError('pages count from 1')
  return {
    timezone: offset,
    from: toServiceDay(from),
    to: toServiceDay(to),
    status: status && STATUS_NAMES[status],
    agentid: agentId,
    // The service counts outgoing pages from 0 and incoming ones from 1.
    page: String(direction === 'outgoing' ? page - 1 : page),
  }
}

/** Contains key and secret: never log it. */
export function toQueryString(parameters: ServiceParameters): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, value)
  return search.toString()
}

// Parsing is lenient: a value that can't be parsed is kept as text, so that it never costs a page. Nothing below throws.

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const toRecord = (value: unknown) => (isObject(value) ? value : {})

interface TimeWindow {
  readonly min: EpochMs
  readonly max: EpochMs
}

/** A phone system without a clock writes 1970 or 1980; other years are errors, too. */
const ANY_TIME: TimeWindow = { min: Date.UTC(1990, 0), max: Date.UTC(2200, 0) }

/** Offsets move a call by a day at most, and so do clocks. */
const WINDOW_MARGIN_MS: Milliseconds = 2 * dayMs

/** Returns the times that calls of these days can have. */
export function toTimeWindow({ from, to }: Pick<types.CallQuery, 'from' | 'to'>): TimeWindow {
  const min = from === undefined ? ANY_TIME.min : Date.parse(from) - WINDOW_MARGIN_MS
  const max = to === undefined ? ANY_TIME.max : Date.parse(to) + dayMs + WINDOW_MARGIN_MS
  return { min, max }
}

export const toId = (value: unknown): string => displayText(toRecord(value).id)

export function toCall(
  value: unknown,
  direction: types.Direction,
  offset: UtcOffset,
  window = ANY_TIME,
): types.Call {
  const record = toRecord(value)
  return {
    id: displayText(record.id),
    direction,
    number: displayText(record[direction === 'outgoing' ? 'Dialed Number' : 'DID number']),
    at: parseTime(record['Date Time'], offset, window),
    seconds: parseDuration(record.Duration),
    status: parseStatus(record.Status),
    cost: parseCost(record.Cost),
    recording: parseRecording(record.Recording),
    answered: displayText(record.Answered),
  }
}

export function toAgent(value: unknown) {
  const record = toRecord(value)
  return {
    id: displayText(record.id),
    name: displayText(record.name),
    callerId: displayText(record.callerid),
    ipRestriction: parseFlag(record.ipaddress),
    followMe: parseFlag(record.followme),
    sipLogin: exactText(record.sip_login),
    // Both are secrets: the webphone's query string signs in anyone who opens it.
    sipPassword: exactText(record.sip_password),
    webphone: exactText(record.webphone),
  }
}

export type Agent = Readonly<ReturnType<typeof toAgent>>

export function toBilling(value: unknown) {
  const record = toRecord(value)
  const plan = toRecord(record.plan)
  const addOn = toRecord(record.addon)
  const agents = toRecord(addOn.agents)
  const storage = toRecord(addOn.storage)
  const crm = toRecord(addOn.crm)
  const numbers = Array.isArray(addOn.did) ? addOn.did.map(toRecord) : []
  return {
    paymentMethod: displayText(record.payment_method),
    maskedCard: displayText(record.payment_details),
    // Amounts include the service's currency symbol.
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
      // The spec names the CRM's total like that of storage.
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

export type Billing = Readonly<ReturnType<typeof toBilling>>

export function toInvoice(value: unknown) {
  const record = toRecord(value)
  return {
    id: displayText(record.invoice_id),
    day: parseDate(record.date),
    amount: displayText(record.amount),
    // In the service's spelling (`Proccessed`).
    status: displayText(record.status),
    url: exactText(record.invoice_url),
  }
}

export type Invoice = Readonly<ReturnType<typeof toInvoice>>

/** Also accepts numbers where the spec has text. */
export const envelopeSchema = z.object({
  status: z.coerce.number(),
  total_record: z.unknown().optional(),
  result: z.unknown().optional(),
})

const MAX_DISPLAY_LENGTH = 200

/** Returns the whole text of a value that is used rather than displayed. */
function exactText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return ''
}

/** Cuts a long text, and returns an empty one for a blank one. */
export function displayText(value: unknown): string {
  const text = isObject(value) ? JSON.stringify(value) : exactText(value)
  if (isBlank(text)) return ''
  const short = text.length > MAX_DISPLAY_LENGTH ? `${takeStart(text, MAX_DISPLAY_LENGTH)}…` : text
  return short.toWellFormed()
}

const toRaw = (value: unknown): types.Raw => ({ raw: displayText(value) })

/** Parses `YYYY-MM-DD hh:mm:ss AM|PM` at the offset of the request's `timezone`. */
export function parseTime(value: unknown, offset: UtcOffset, { min, max } = ANY_TIME): Date | types.Raw {
  const match = /^([12]\d{3}-\d\d-\d\d) (0[1-9]|1[0-2])(:[0-5]\d:[0-5]\d) ([AP])M$/i.exec(exactText(value))
  if (!match) return toRaw(value)
  const [, day, hours, minutes, half] = match
  const hour = (Number(hours) % 12) + (half?.toUpperCase() === 'P' ? 12 : 0)
  const at = toInstant(`${day}T${pad2(hour)}${minutes}`, offset)
  if (!at || at.getTime() < min || at.getTime() > max) return toRaw(value)
  return at
}

/** Parses `HH:MM:SS` to seconds. */
export function parseDuration(value: unknown): number | types.Raw {
  const match = /^(\d{2,6}):([0-5]\d):([0-5]\d)$/.exec(exactText(value))
  if (match) return Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3])
  return toRaw(value)
}

/** Ignores case, spaces, dashes and underscores. */
export function parseStatus(value: unknown): types.CallStatus | types.Raw {
  const name = exactText(value)
    .toUpperCase()
    .replaceAll(/[\s_-]/g, '')
  if (name === 'ANSWERED') return 'answered'
  // Asterisk writes `NO ANSWER`.
  if (name === 'NOTANSWERED' || name === 'NOANSWER') return 'missed'
  return toRaw(value)
}

/** Keeps the decimal as text: a float may change it. */
export function parseCost(value: unknown): string | types.Raw {
  const text = exactText(value)
  return /^-?\d{1,30}(\.\d{1,30})?$/.test(text) ? text : toRaw(value)
}

export function parseFlag(value: unknown): boolean | types.Raw {
  if (value === 'enabled') return true
  if (value === 'disabled') return false
  return toRaw(value)
}

export const parseDate = (value: unknown): LocalDay | types.Raw => parseDay(exactText(value)) ?? toRaw(value)

export function parseTotal(value: unknown): number | undefined {
  const text = exactText(value)
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Relative to an address that the spec doesn't name, and encoded in any way: `+` or `%20` for spaces, bytes of any charset. */
const DOWNLOAD_PATH =
  /^download_file\.php\?filename=(?:[\w.~!*'():@,;/?$+-]|%[0-9A-Fa-f]{2})+&filetype=callrecording$/

/** Returns the path if it can be part of a link; `undefined` without any text. */
export function parseRecording(value: unknown): string | types.Raw | undefined {
  const text = exactText(value)
  if (DOWNLOAD_PATH.test(text)) return text
  const unread = toRaw(value)
  return unread.raw === '' ? undefined : unread
}

/** Keeps the path as the service encoded it; `undefined` without one that can be a link. */
export function recordingUrl(baseUrl: string, recording: string | types.Raw): string | undefined {
  if (types.isRaw(recording)) return undefined
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`
  return `${base}${recording}`
}
