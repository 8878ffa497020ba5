import { z } from '@hono/zod-openapi'
import { OPERATIONS, type Operation } from './types.ts'

const values = z.record(z.string(), z.unknown())

/** The faults that can be asked for over HTTP too. */
export const jsonFault = z.discriminatedUnion('kind', [
  /** The answer comes later. */
  z.strictObject({ kind: z.literal('delay'), ms: z.number().nonnegative() }),
  /** Any status, with headers such as `retry-after`. */
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** No answer, or with `after: 'headers'` its headers and half of its body, and then nothing. */
  z.strictObject({ kind: z.literal('hang'), after: z.literal('headers').optional() }),
  /** The connection is reset before any answer, or with `after: 'headers'` ended half-way through the body. */
  z.strictObject({ kind: z.literal('cut-connection'), after: z.literal('headers').optional() }),
  /** A web page, as a proxy in between answers; 200 unless `status` says otherwise. */
  z.strictObject({ kind: z.literal('html'), status: z.int().min(200).max(599).optional() }),
  /** The first half of the right answer, as if it were whole. */
  z.strictObject({ kind: z.literal('cut-json') }),
  /** JSON, and not the envelope. */
  z.strictObject({ kind: z.literal('wrong-envelope') }),
  /** HTTP 200 around another status. */
  z.strictObject({ kind: z.literal('inner-status'), status: z.string() }),
  /** HTTP 200 and not one byte. */
  z.strictObject({ kind: z.literal('empty') }),
  /** A proper envelope of a great many bytes: 32 MiB unless `bytes` says otherwise. */
  z.strictObject({ kind: z.literal('huge'), bytes: z.int().positive().optional() }),
  /** Exactly this. */
  z.strictObject({ kind: z.literal('body'), body: z.string(), contentType: z.string().optional() }),
  /** The right answer with these fields set in every record, or in the envelope. */
  z.strictObject({ kind: z.literal('set'), record: values.optional(), envelope: values.optional() }),
])

/** The right answer with every record changed. */
export interface PatchFault {
  readonly kind: 'patch'
  readonly patch: (record: Record<string, unknown>) => Record<string, unknown>
}

export type Fault = z.infer<typeof jsonFault> | PatchFault
export type DelayFault = Extract<Fault, { kind: 'delay' }>
export type AnswerFault = Exclude<Fault, DelayFault>

export const faultRequest = z.strictObject({
  fault: jsonFault,
  /** `always`: until cleared. */
  times: z.union([z.int().positive(), z.literal('always')]).default(1),
  operation: z.enum(OPERATIONS).optional(),
})

export interface FaultScope {
  /** Every operation where there is none. */
  readonly operation?: Operation | undefined
}

export interface Faults {
  /** For the next request, or the next `times` of them. */
  next(fault: Fault, scope?: FaultScope & { readonly times?: number | undefined }): void
  /** For every request until `clear`; those asked for with `next` come first. */
  always(fault: Fault, scope?: FaultScope): void
  clear(): void
}

/** What one request meets: a delay, a wrong answer, or one after the other. */
export interface Trouble {
  readonly delay: DelayFault | undefined
  readonly answer: AnswerFault | undefined
}

interface Entry {
  readonly fault: Fault
  readonly operation: Operation | undefined
  left: number
}

/** Faults wait in the order they were asked for; a request takes the first delay and the first of the others. */
export class FaultQueue implements Faults {
  #counted: Entry[] = []
  #standing: Entry[] = []

  next(
    fault: Fault,
    { times = 1, operation }: FaultScope & { readonly times?: number | undefined } = {},
  ): void {
    this.#counted.push({ fault, operation, left: times })
  }

  always(fault: Fault, { operation }: FaultScope = {}): void {
    this.#standing.push({ fault, operation, left: Number.POSITIVE_INFINITY })
  }

  clear(): void {
    this.#counted = []
    this.#standing = []
  }

  take(operation: Operation): Trouble | undefined {
    if (this.#counted.length === 0 && this.#standing.length === 0) return undefined
    let delay: DelayFault | undefined
    let answer: AnswerFault | undefined
    for (const entry of [...this.#counted, ...this.#standing]) {
      const { fault } = entry
      if (entry.operation !== undefined && entry.operation !== operation) continue
      if (fault.kind === 'delay') {
        if (delay) continue
        delay = fault
      } else {
        if (answer) continue
        answer = fault
      }
      entry.left--
    }
    this.#counted = this.#counted.filter(({ left }) => left > 0)
    return { delay, answer }
  }
}
