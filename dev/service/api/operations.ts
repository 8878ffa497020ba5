import { createRoute, type z } from '@hono/zod-openapi'
import { errors, successes } from './examples.ts'
import { incomingParameters, invoiceParameters, outgoingParameters } from './parameters.ts'
import {
  agentRecord,
  billingRecord,
  type ErrorBody,
  errorBody,
  incomingRecord,
  invoiceRecord,
  listingOf,
  outgoingRecord,
  resultOf,
} from './response-schemas.ts'

/** The five operations as the specification describes them; `/openapi.json` is made from these. */

const ORDER = 'The specification leaves the order open; this service answers the newest first.'

export const outgoingRoute = createRoute({
  method: 'post',
  path: '/outgoing',
  operationId: 'outgoing',
  summary: 'Outgoing call records, 20 a page',
  description: `Returns up to 20 outgoing call records; \`page\` selects which 20. ${ORDER} Pages count from 0; one beyond the end is empty. A request body is ignored.`,
  request: { query: outgoingParameters },
  responses: { 200: success(listingOf(outgoingRecord), successes.outgoing), ...failures() },
})

export const incomingRoute = createRoute({
  method: 'get',
  path: '/incoming',
  operationId: 'incoming',
  summary: 'Incoming call records, 20 a page',
  description: `Returns up to 20 incoming call records; \`page\` selects which 20. ${ORDER} Pages count from 1; one beyond the end is empty.`,
  request: { query: incomingParameters },
  responses: { 200: success(listingOf(incomingRecord), successes.incoming), ...failures() },
})

export const billingRoute = createRoute({
  method: 'get',
  path: '/billing/details',
  operationId: 'billing',
  summary: 'Billing details',
  description:
    'Credit limit, payment method, billing cycle, call routing, plan, add-ons and monthly total, as the one record of `result`.',
  responses: { 200: success(resultOf(billingRecord), successes.billing), ...failures() },
})

export const invoicesRoute = createRoute({
  method: 'post',
  path: '/billing/invoice',
  operationId: 'invoices',
  summary: 'Invoice operation: deletes a customer, returns invoices',
  description:
    'Described as deleting a customer and their details, yet it returns a list of invoices. Marks the customer as deleted and returns its invoices, a second time too. An unknown customer is an invalid value.',
  request: { query: invoiceParameters },
  responses: { 200: success(resultOf(invoiceRecord), successes.invoices), ...failures() },
})

export const agentsRoute = createRoute({
  method: 'get',
  path: '/agent/list',
  operationId: 'agents',
  summary: 'Agent list',
  description:
    "The account's agents and their connection details. The `id` is used by other operations (`agentid`).",
  responses: { 200: success(resultOf(agentRecord), successes.agents), ...failures() },
})

export const agentsByPostRoute = createRoute({
  ...agentsRoute,
  method: 'post',
  operationId: 'agentsByPost',
})

function success<T extends z.ZodType>(schema: T, example: z.input<T>) {
  return { description: 'Success', content: { 'application/json': { schema, example } } }
}

function failures() {
  const failure = (description: string, example: ErrorBody) => ({
    description,
    content: { 'application/json': { schema: errorBody, example } },
  })
  return {
    400: failure('Missing or invalid properties', errors.badRequest),
    401: failure('Invalid API Key & Password', errors.unauthorized),
    default: failure('Any other status, which the sandbox answers with where it was told to', errors.other),
  }
}
