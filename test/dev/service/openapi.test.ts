import { expect, it } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from '../../../dev/service/types.ts'
import { ask, METHODS, PATHS, sandboxAt } from './support.ts'

const schema = z.looseObject({
  required: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()),
})
const media = z.looseObject({ schema: z.unknown(), example: z.unknown() })
const operation = z.looseObject({
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.literal('query'),
        required: z.boolean(),
        schema: z.looseObject({ type: z.string(), default: z.unknown().optional() }),
      }),
    )
    .default([]),
  security: z.undefined().optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.strictObject({ 'application/json': media }) })),
})
const document = z.looseObject({
  openapi: z.literal('3.1.0'),
  info: z.looseObject({ license: z.unknown() }),
  servers: z.tuple([z.looseObject({ url: z.url() })]),
  security: z.unknown(),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), schema), securitySchemes: z.unknown() }),
})

const sandbox = sandboxAt()
const response = await sandbox.app.request('http://127.0.0.1:4010/openapi.json')
const described = document.parse(await response.json())
const basePath = new URL(described.servers[0].url).pathname

it('describes every operation, and no other path', () => {
  const methods = Object.entries(described.paths).map(([path, item]) => [basePath + path, Object.keys(item)])
  expect(methods).toEqual([
    ['/api/v1/outgoing', ['post']],
    ['/api/v1/incoming', ['get']],
    ['/api/v1/billing/details', ['get']],
    ['/api/v1/billing/invoice', ['post']],
    ['/api/v1/agent/list', ['get', 'post']],
  ])
})

it.each(['http://127.0.0.1:4010', 'http://[::1]:4011'])(
  'says that it is served where %s was asked',
  async (origin) => {
    const served = document.parse(await (await sandbox.app.request(`${origin}/openapi.json`)).json())
    expect(served.servers[0].url).toBe(`${origin}/api/v1`)
  },
)

it('requires both the key and the secret, in the query, for every operation', () => {
  expect(described.security).toEqual([{ key: [], secret: [] }])
  expect(described.components.securitySchemes).toEqual({
    key: { type: 'apiKey', in: 'query', name: 'key', description: 'API key' },
    secret: { type: 'apiKey', in: 'query', name: 'secret', description: 'API secret' },
  })
})

it('has the licence of the repository', () => {
  expect(described.info.license).toMatchObject({ name: 'MIT' })
})

const filters = (firstPage: number) => [
  ['timezone', true, 'string', undefined],
  ['from', false, 'string', undefined],
  ['to', false, 'string', undefined],
  ['status', false, 'string', undefined],
  ['agentid', false, 'integer', undefined],
  ['page', false, 'integer', firstPage],
]

it.each([
  ['/outgoing', 'post', filters(0)],
  ['/incoming', 'get', filters(1)],
  ['/billing/details', 'get', []],
  ['/billing/invoice', 'post', [['customer_id', true, 'string', undefined]]],
  ['/agent/list', 'get', []],
  ['/agent/list', 'post', []],
])('describes the parameters and answers of %s by %s', (path, method, parameters) => {
  const found = described.paths[path]![method]!
  expect(
    found.parameters.map((each) => [each.name, each.required, each.schema.type, each.schema.default]),
  ).toEqual(parameters)
  expect(Object.keys(found.responses)).toEqual(['200', '400', '401', 'default'])
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

it.each(OPERATIONS)('shows for %s the errors that it answers', async (name) => {
  const path = PATHS[name]
  const method = METHODS[name]
  const { responses } = described.paths[path.slice(basePath.length)]![method.toLowerCase()]!
  const exampleOf = (status: string) => responses[status]?.content['application/json'].example
  const plain = await sandbox.app.request(path, { method })
  expect(await plain.json()).toEqual(exampleOf('400'))
  expect((await ask(sandbox, name, {}, { key: 'nobody', secret: 'wrong' })).body).toEqual(exampleOf('401'))
  sandbox.faults.next({ kind: 'status', status: 429 })
  expect((await ask(sandbox, name)).body).toEqual(exampleOf('default'))
})
