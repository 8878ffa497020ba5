import { z } from 'zod'
import { OPERATIONS, type Operation } from './types.ts'

const values = z.record(z.string(), z.unknown())

const jsonFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), ms: z.number().nonnegative() }),
  /** Any status, with headers such as `retry-after`. */
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** No response, or with `after: 'headers'` only its headers and half of its body. */
  z.strictObject({ kind: z.literal('hang'), after: z.literal('headers').optional() }),
  /** The connection is reset, or with `after: 'headers'` closed in the middle of the body. */
  z.strictObject({ kind: z.literal('cut-connection'), after: z.literal('headers').optional() }),
  /** A web page like that of a proxy; 200 unless `status` is set. */
  z.strictObject({ kind: z.literal('html'), status: z.int().min(200).max(599).optional() }),
  /** The first half of the response, as if it were complete. */
  z.strictObject({ kind: z.literal('cut-json') }),
  z.strictObject({ kind: z.literal('body'), body: z.string(), contentType: z.string().optional() }),
  /** The response with these fields in every record, or in the envelope. */
  z.strictObject({ kind: z.literal('set'), record: values.optional(), envelope: values.optional() }),
])

interface PatchFault {
  readonly kind: 'patch'
  readonly patch: (record: Record<string, unknown>) => Record<string, unknown>
}

/** Holds the response until a promise is settled. */
interface HoldFault {
  readonly kind: 'hold'
  readonly until: Promise<void>
}

export type Fault = z.infer<typeof jsonFault> | PatchFault | HoldFault
type DelayFault = Extract<Fault, { kind: 'delay' | 'hold' }>
export type ResponseFault = Exclude<Fault, DelayFault>

export const faultRequest = z.strictObject({
  fault: jsonFault,
  /** `always`: until cleared. */
  times: z.union([z.int().positive(), z.literal('always')]).default(1),
  every: z.int().positive().optional(),
  operation: z.enum(OPERATIONS).optional(),
})

interface OfOperation {
  /** All operations by default. */
  readonly operation?: Operation | undefined
}

interface Entry extends OfOperation {
  readonly fault: Fault
  left: number
  /** Applies to every nth request. */
  readonly every: number
  requests: number
}

/** Faults apply in the order in which they were added; a request takes the first delay and the first other fault. */
export class FaultQueue {
  #counted: Entry[] = []
  #standing: Entry[] = []

  /** For the next request, or the next `times` of them. */
  next(fault: Fault, { times = 1, operation }: OfOperation & { readonly times?: number } = {}): void {
    this.#counted.push({ fault, operation, left: times, every: 1, requests: 0 })
  }

  /** For every request until `clear`; faults of `next` come first. */
  always(fault: Fault, options: OfOperation = {}): void {
    this.every(1, fault, options)
  }

  /** For every nth request until `clear`: 10 is the tenth, the twentieth, … */
  every(count: number, fault: Fault, { operation }: OfOperation = {}): void {
    this.#standing.push({ fault, operation, left: Number.POSITIVE_INFINITY, every: count, requests: 0 })
  }

  clear(): void {
    this.#counted = []
    this.#standing = []
  }

  /** Returns the faults of the next request: a delay, a wrong response, or both. */
  take(operation: Operation): { delay: DelayFault | undefined; response: ResponseFault | undefined } {
    let delay: DelayFault | undefined
    let response: ResponseFault | undefined
    for (const entry of [...this.#counted, ...this.#standing]) {
      const { fault } = entry
      if (entry.operation !== undefined && entry.operation !== operation) continue
      entry.requests += 1
      if (entry.requests % entry.every !== 0) continue
      if (fault.kind === 'delay' || fault.kind === 'hold') {
        if (delay) continue
        delay = fault
      } else {
        if (response) continue
        response = fault
      }
      entry.left--
    }
    this.#counted = this.#counted.filter(({ left }) => left > 0)
    return { delay, response }
  }
}
