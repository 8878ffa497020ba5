import type { Services } from '../../services.ts'
import type { SignedRoute } from '../../slack/inbound/http-receiver.ts'
import type { LoadTools } from '../../slack/routing/routes.ts'
import { once } from '../../util/promises.ts'

/** Serializes a JSON-RPC error in response to a request whose id is unknown. */
export const jsonRpcError = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })

const refusals: ReadonlyMap<number, string> = new Map([
  [401, jsonRpcError(-32_001, "The request isn't signed by Slack, or is older than five minutes.")],
  [413, jsonRpcError(-32_002, 'The request is too large.')],
])
const otherRefusal = jsonRpcError(-32_000, 'The request was refused.')

/** Slackbot's tools over the Model Context Protocol, loaded on the first request. */
export function slackbot(services: Services, loaders: readonly LoadTools[]): readonly SignedRoute[] {
  if (!services.config.mcp) return []
  const load = once(async () => {
    const [{ McpEndpoint }, ...tools] = await Promise.all([
      import('./endpoint.ts'),
      ...loaders.map((loadTools) => loadTools()),
    ])
    return new McpEndpoint(services, tools.flat())
  })

  return [
    {
      path: '/slack/mcp',
      refusal: (status) => refusals.get(status) ?? otherRefusal,
      async handle(request, body, response) {
        const endpoint = await load()
        await endpoint.handle(request, body, response)
      },
    },
  ]
}
