import { z } from 'zod'
import { parseDate, parseOffset } from './wire-time.ts'

/**
 * Query parameters of the operations, except the credentials, which are checked before. Responses name invalid
 * parameters, but never repeat their values.
 */

export const invoiceParameters = z.object({ customer_id: z.string().min(1) })

/** Converts an offset to minutes. An unencoded `+` arrives as a space and is refused. */
const timezone = textRead(parseOffset, 'not ±HH:MM')

const dateOnly = textRead(parseDate, 'not a day, DD-MM-YYYY')

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
  from: dateOnly.optional(),
  to: dateOnly.optional(),
  status: z.enum(['Answered', 'Not Answered']).optional(),
  agentid: wholeNumber.optional(),
}

const listingParameters = (first: number) =>
  z
    .object({
      ...filters,
      page: wholeNumber
        .default(String(first))
        .transform(Number)
        .refine((page) => page >= first),
    })
    .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      path: ['from'],
      error: 'after to',
    })

export const outgoingParameters = listingParameters(0)
export const incomingParameters = listingParameters(1)
export type ListingParameters = z.output<typeof outgoingParameters>
