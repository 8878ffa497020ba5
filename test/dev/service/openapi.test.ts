import { expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxAt } from './support.ts'

const schema = z.looseObject({
  required: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()),
})
const operation = z.looseObject({
  parameters: z.array(
    z.looseObject({
      name: z.string(),
      in: z.literal('query'),
      required: z.boolean(),
      schema: z.looseObject({ type: z.string(), default: z.unknown().optional() }),
    }),
  ),
  responses: z.record(z.string(), z.unknown()),
})
const document = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), schema) }),
})

const response = await sandboxAt().app.request('/openapi.json')
const described = document.parse(await response.json())

it('describes every operation, and no other path', () => {
  const methods = Object.entries(described.paths).map(([path, item]) => [path, Object.keys(item)])
  expect(methods).toEqual([
    ['/api/v1/outgoing', ['post']],
    ['/api/v1/incoming', ['get']],
    ['/api/v1/billing/details', ['get']],
    ['/api/v1/billing/invoice', ['post']],
    ['/api/v1/agent/list', ['get', 'post']],
  ])
})

const CREDENTIALS = [
  ['key', true, 'string', undefined],
  ['secret', true, 'string', undefined],
]
const filters = (firstPage: number) => [
  ...CREDENTIALS,
  ['timezone', true, 'string', undefined],
  ['from', false, 'string', undefined],
  ['to', false, 'string', undefined],
  ['status', false, 'string', undefined],
  ['agentid', false, 'integer', undefined],
  ['page', false, 'integer', firstPage],
]

it.each([
  ['/api/v1/outgoing', 'post', filters(0)],
  ['/api/v1/incoming', 'get', filters(1)],
  ['/api/v1/billing/details', 'get', CREDENTIALS],
  ['/api/v1/billing/invoice', 'post', [...CREDENTIALS, ['customer_id', true, 'string', undefined]]],
  ['/api/v1/agent/list', 'get', CREDENTIALS],
  ['/api/v1/agent/list', 'post', CREDENTIALS],
])('describes the parameters and answers of %s by %s', (path, method, parameters) => {
  const found = described.paths[path]![method]!
  expect(
    found.parameters.map((each) => [each.name, each.required, each.schema.type, each.schema.default]),
  ).toEqual(parameters)
  expect(Object.keys(found.responses)).toEqual(['200', '400', '401'])
})

it('describes the records with their names as they are', () => {
  const { schemas } = described.components
  expect(Object.keys(schemas).sort()).toEqual([
    'Agent',
    'BillingDetails',
    'Failure',
    'IncomingCall',
    'Invoice',
    'OutgoingCall',
  ])
  for (const record of Object.values(schemas)) expect(record.required).toEqual(Object.keys(record.properties))
  expect(schemas['OutgoingCall']?.required).toContain('Dialed Number')
  expect(schemas['IncomingCall']?.required).toEqual(
    expect.arrayContaining(['DID number', 'Date Time', 'Answered']),
  )
})

it('has every reference that it makes', () => {
  const references = JSON.stringify(described).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)
  const names = new Set([...references].map(([, name]) => name))
  expect([...names].sort()).toEqual(Object.keys(described.components.schemas).sort())
})
