/** The service's operations, by the names that faults and the request log use. */
export const OPERATIONS = ['outgoing', 'incoming', 'billing', 'invoices', 'agents'] as const
export type Operation = (typeof OPERATIONS)[number]

export type Direction = 'incoming' | 'outgoing'

export interface SandboxCall {
  readonly id: string
  readonly direction: Direction
  /** The number dialed for an outgoing call, the account's own number for an incoming one. */
  readonly number: string
  readonly at: Date
  readonly seconds: number
  readonly answered: boolean
  /** Decimal text, `0` where the call cost nothing. */
  readonly cost: string
  /** A file name, empty where there is none. */
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
  /** How many times the invoice operation was run for this customer; from the first time on it is deleted. */
  readonly deletions: number
  readonly deleted: boolean
  readonly invoices: readonly SandboxInvoice[]
}
