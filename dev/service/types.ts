/** The service's operations, as named in faults and the request log. */
export const OPERATIONS = ['outgoing', 'incoming', 'billing', 'invoices', 'agents'] as const
export type Operation = (typeof OPERATIONS)[number]

export type Direction = 'incoming' | 'outgoing'

export interface SandboxCall {
  readonly id: string
  readonly direction: Direction
  /** The dialed number of an outgoing call; the account's own number of an incoming one. */
  readonly number: string
  readonly at: Date
  readonly seconds: number
  readonly answered: boolean
  /** Decimal text; `0` for a free call. */
  readonly cost: string
  /** File name; empty if there is none. */
  readonly recording: string
  readonly agentId: string
}

export interface SandboxAgent {
  readonly id: string
  readonly name: string
  readonly callerId: string
  readonly sipLogin: string
  readonly sipPassword: string
  readonly ipAddress: boolean
  readonly followMe: boolean
  readonly webphone: string
}

export interface SandboxInvoice {
  readonly id: string
  readonly date: string
  readonly amount: string
}

export interface SandboxCustomer {
  readonly id: string
  readonly name: string
  /** Number of calls of the invoice operation for this customer, who is deleted from the first call on. */
  readonly deletions: number
  readonly deleted: boolean
  readonly invoices: readonly SandboxInvoice[]
}
