import { createRoute, type z } from '@hono/zod-openapi'
import { credentialsOnly, incomingParameters, invoiceParameters, outgoingParameters } from './parameters.ts'
import {
  agentRecord,
  billingRecord,
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
  description: `${ORDER} Pages count from 0; one beyond the end is empty. A request body is ignored.`,
  request: { query: outgoingParameters },
  responses: { 200: success(listingOf(outgoingRecord)), ...failures() },
})

export const incomingRoute = createRoute({
  method: 'get',
  path: '/incoming',
  operationId: 'incoming',
  summary: 'Incoming call records, 20 a page',
  description: `${ORDER} Pages count from 1; one beyond the end is empty.`,
  request: { query: incomingParameters },
  responses: { 200: success(listingOf(incomingRecord)), ...failures() },
})

export const billingRoute = createRoute({
  method: 'get',
  path: '/billing/details',
  operationId: 'billing',
  summary: 'Billing details',
  request: { query: credentialsOnly },
  responses: { 200: success(resultOf(billingRecord)), ...failures() },
})

export const invoicesRoute = createRoute({
  method: 'post',
  path: '/billing/invoice',
  operationId: 'invoices',
  summary: 'Invoice operation: deletes a customer, returns invoices',
  description:
    'Marks the customer as deleted and returns its invoices, a second time too. An unknown customer is an invalid value.',
  request: { query: invoiceParameters },
  responses: { 200: success(resultOf(invoiceRecord)), ...failures() },
})

export const agentsRoute = createRoute({
  method: 'get',
  path: '/agent/list',
  operationId: 'agents',
  summary: 'Agent list',
  request: { query: credentialsOnly },
  responses: { 200: success(resultOf(agentRecord)), ...failures() },
})

export const agentsByPostRoute = createRoute({
  ...agentsRoute,
  method: 'post',
  operationId: 'agentsByPost',
})

function success<T extends z.ZodType>(schema: T) {
  return { description: 'Success', content: { 'application/json': { schema } } }
}

function failures() {
  const content = { 'application/json': { schema: errorBody } }
  return {
    400: { description: 'Missing or invalid properties', content },
    401: { description: 'Invalid API Key & Password', content },
  }
}
