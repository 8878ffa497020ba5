import type { LocalDay, UtcOffset } from '../time/types.ts'

export type Direction = 'incoming' | 'outgoing'
export type CallStatus = 'answered' | 'missed'

/** What a workspace's requests are sent with. Both travel in the query string: never log a URL of the service. */
export interface Credentials {
  readonly key: string
  readonly secret: string
}

/** `tenant` keeps one workspace's requests apart from another's; it is never sent. */
export interface Account {
  readonly tenant: string
  readonly credentials: Credentials
  /** Somebody tries this pair just now: it is sent however often it was refused. */
  readonly isTrial?: boolean
}

/** A value that the wire holds but that can't be understood: kept as it came, cut to a sane length. */
export interface Raw {
  readonly raw: string
}

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && 'raw' in value

export const orRaw = <T>(value: T | Raw, text: (value: T) => string): string =>
  isRaw(value) ? value.raw : text(value)

export interface Call {
  readonly id: string
  readonly direction: Direction
  /** The number dialled for an outgoing call, the DID that was called for an incoming one. */
  readonly number: string
  readonly at: Date | Raw
  readonly seconds: number | Raw
  readonly status: CallStatus | Raw
  /** An exact decimal, never a float. */
  readonly cost: string | Raw
  readonly recording: string | Raw | undefined
  /** An incoming record's `Answered` as it came, which the service does not explain; `undefined` where there is none. */
  readonly answered?: string | undefined
}

export interface CallQuery {
  readonly direction: Direction
  /** The offset that the service reads `from` and `to` in and writes its times in. */
  readonly offset: UtcOffset
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
  readonly status?: CallStatus | undefined
  readonly agentId?: string | undefined
  /** Counts from 1 in both directions. */
  readonly page: number
}

export type ScanQuery = Omit<CallQuery, 'page'>

export interface ScanProgress {
  readonly records: number
  readonly pages: number
  /** As the service told it last; `undefined` where its figure is no number. New calls make it grow meanwhile. */
  readonly total: number | undefined
}

export interface CallPage {
  readonly calls: readonly Call[]
  readonly page: number
  /** Every record that matches, on all pages; `undefined` where the service's figure is no number. */
  readonly total: number | undefined
}

/** Spec, "Limits": records on a page of a listing. */
export const PAGE_SIZE = 20

/** The number of the last page, 1 for an empty list; `undefined` where the service's total is unknown. */
export const lastPage = ({ total }: Pick<CallPage, 'total'>): number | undefined =>
  total === undefined ? undefined : Math.max(1, Math.ceil(total / PAGE_SIZE))

/** Whether there are fewer calls on the page than its total says, as in an answer that was cut. */
export const isShort = ({ calls, page, total = 0 }: CallPage): boolean =>
  calls.length < Math.min(PAGE_SIZE, total - (page - 1) * PAGE_SIZE)

/** The number of the next page; `undefined` on the last one. Without a total, a full page may have a next one. */
export function nextPage(page: CallPage): number | undefined {
  const last = lastPage(page)
  const hasNext = last === undefined ? page.calls.length >= PAGE_SIZE : page.page < last
  return hasNext ? page.page + 1 : undefined
}

/** Where the page's first and last call stand in the whole list, from 1; of a page that has calls. */
export function rowPositions({ page, calls }: CallPage): { readonly first: number; readonly last: number } {
  const before = (page - 1) * PAGE_SIZE
  return { first: before + 1, last: before + calls.length }
}

export const totalOf = (totals: readonly (number | undefined)[]): number | undefined =>
  totals.reduce((sum, total) => (sum === undefined || total === undefined ? undefined : sum + total), 0)
