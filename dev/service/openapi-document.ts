import type { OpenAPIHono } from '@hono/zod-openapi'
import type { SandboxEnv } from './sandbox-env.ts'

const DESCRIPTION = `A hosted voice-calling account interface, answered by a sandbox: the data is invented.

All parameters are sent in the query string. All values in the envelopes and records are JSON strings,
including numbers, amounts and the \`status\` code. Another path is answered with 404 and another method with
405, both with a \`Failure\`.`

/** @param baseUrl ends in the version segment, `/api/v1` */
export function openApiDocument(api: OpenAPIHono<SandboxEnv>, baseUrl: string) {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Voice Telephony Account API (sandbox)',
      version: 'v1',
      description: DESCRIPTION,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: baseUrl, description: 'This sandbox' }],
    security: [{ key: [], secret: [] }],
  })
}

/** Every operation requires both; no other credential or header is read. */
export function registerCredentials({ openAPIRegistry }: OpenAPIHono<SandboxEnv>): void {
  for (const [name, description] of [
    ['key', 'API key'],
    ['secret', 'API secret'],
  ] as const) {
    openAPIRegistry.registerComponent('securitySchemes', name, {
      type: 'apiKey',
      in: 'query',
      name,
      description,
    })
  }
}
