import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { respond } from '../../http/http-server.ts'
import type { Services } from '../../services.ts'
import type { Tool } from '../../slack/routing/routes.ts'
import { readBuild } from '../../util/build.ts'
import { ToolCalls } from './calls.ts'
import { toolOutput } from './result.ts'
import { instructions, jsonRpcError } from './words.ts'

export type Endpoint = (request: IncomingMessage, body: string, response: ServerResponse) => Promise<void>

const blockKit = 'io.slack/block-kit'
const capabilities = z.object({ extensions: z.object({ [blockKit]: z.object({}) }) })
const envelope = z.object({ [CLIENT_CAPABILITIES_META_KEY]: capabilities })
const initialize = z.object({ method: z.literal('initialize'), params: z.object({ capabilities }) })

/**
 * Nothing is kept between requests: whether a client shows blocks, which it says once, is in the id of its session, which it
 * sends along with each request. Newer ones say it with each request.
 */
const blockSession = 'block-kit-'
const showsBlocks = ({ http, mcpReq }: ServerContext): boolean =>
  (http?.req?.headers.get('mcp-session-id') ?? '').startsWith(blockSession) ||
  envelope.safeParse(mcpReq.envelope).success

/**
 * An MCP server over stateless Streamable HTTP, made anew for each request.
 * @see https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#streamable-http
 * @see https://docs.slack.dev/ai/slackbot-mcp-client
 */
export function createEndpoint(services: Services, tools: readonly Tool[]): Endpoint {
  const { log } = services
  const calls = new ToolCalls(services)
  const build = readBuild()
  const version = 'commit' in build ? build.commit : build.build

  function createServer(): McpServer {
    const server = new McpServer(
      { name: 'callboard', title: 'Callboard', version },
      { instructions, capabilities: { tools: { listChanged: false } } },
    )
    for (const tool of tools) {
      const { name, title, description, input } = tool
      const about = {
        title,
        description,
        inputSchema: input,
        outputSchema: toolOutput,
        annotations: { title, readOnlyHint: true, openWorldHint: false },
        _meta: { slack: { supportsBlockKit: true } },
      }
      server.registerTool(name, about, (args, context) =>
        calls.call(tool, args, context.mcpReq._meta?.['slack'], showsBlocks(context)),
      )
    }
    return server
  }

  const onerror = (error: Error) => log.info({ cause: error.message }, 'an MCP request was refused')
  const handler = createMcpHandler(createServer, { onerror })

  return async (request, body, response) => {
    let parsedBody: unknown
    try {
      parsedBody = JSON.parse(body)
    } catch {
      return respond(response, 400, jsonRpcError(-32_700, "The request isn't JSON."))
    }
    if (Array.isArray(parsedBody))
      return respond(
        response,
        400,
        jsonRpcError(-32_600, 'Send one request at a time: batches are not taken.'),
      )
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] satisfies [string, string]] : [],
    )
    const answer = await handler.fetch(
      new Request(`http://localhost${request.url}`, { method: 'POST', headers }),
      { parsedBody },
    )
    const text = await answer.text()
    const contentType = answer.headers.get('content-type')
    const isBlockSession = initialize.safeParse(parsedBody).success && answer.ok
    response.writeHead(answer.status, {
      'content-length': Buffer.byteLength(text),
      ...(contentType === null ? {} : { 'content-type': contentType }),
      ...(isBlockSession ? { 'mcp-session-id': `${blockSession}${randomUUID()}` } : {}),
    })
    response.end(text)
  }
}
