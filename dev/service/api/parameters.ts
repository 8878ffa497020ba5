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

const listingParameters = (first: number) =>
  z
    .object({
      ...filters,
      page: wholeNumber
        .default(String(first))
        .transform(Number)
        .refine((page) => page >= first)
        .openapi({
          type: 'integer',
          minimum: first,
          default: first,
          description: `The first page is ${first}`,
        }),
    })
    .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      path: ['from'],
      error: 'after to',
    })

export const outgoingParameters = listingParameters(0)
export const incomingParameters = listingParameters(1)
export type ListingParameters = z.output<typeof outgoingParameters>
