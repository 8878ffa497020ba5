import { z } from '@hono/zod-openapi'
import { parseDate, parseOffset } from './wire-time.ts'

/**
 * The query parameters of the operations, the credentials apart: those are judged before them. Where one is
 * wrong the response names it, and never its value.
 */

export const invoiceParameters = z.object({
  customer_id: z.string().min(1).openapi({ description: 'Identifier of the customer' }),
})

/** An offset to minutes. An unencoded `+` arrives as a blank, and is refused. */
const timezone = textRead(parseOffset, 'not ±HH:MM').openapi({
  type: 'string',
  pattern: '^[+-]([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'UTC offset, ±HH:MM',
  example: '+01:00',
})

const dateOnly = textRead(parseDate, 'not a day, DD-MM-YYYY').openapi({
  type: 'string',
  pattern: '^\\d{2}-\\d{2}-\\d{4}$',
  example: '05-11-2026',
})

function textRead(parse: (text: string) => number | undefined, message: string) {
  return z.string().transform((text, context) => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

const wholeNumber = z.string().regex(/^\d+$/)

const filters = {
  timezone,
  from: dateOnly.optional().openapi({ description: 'Beginning date, from its 00:00:00 at the offset' }),
  to: dateOnly.optional().openapi({ description: 'End date, to its 24:00:00 at the offset' }),
  status: z.enum(['Answered', 'Not Answered']).optional().openapi({ description: 'Filter by call status' }),
  agentid: wholeNumber
    .optional()
    .openapi({ type: 'integer', minimum: 0, description: 'Filter by agent; an unknown one has no calls' }),
}

function inOrder({ from, to }: { from?: number | undefined; to?: number | undefined }): boolean {
  return from === undefined || to === undefined || from <= to
}

const notInOrder = { path: ['from'], error: 'after to' }

export const outgoingParameters = z
  .object({
    ...filters,
    page: wholeNumber
      .default('0')
      .transform(Number)
      .openapi({ type: 'integer', minimum: 0, default: 0, description: 'The first page is 0' }),
  })
  .refine(inOrder, notInOrder)

export const incomingParameters = z
  .object({
    ...filters,
    page: wholeNumber
      .default('1')
      .transform(Number)
      .refine((page) => page >= 1)
      .openapi({ type: 'integer', minimum: 1, default: 1, description: 'The first page is 1' }),
  })
  .refine(inOrder, notInOrder)

export type ListingParameters = z.output<typeof outgoingParameters>
