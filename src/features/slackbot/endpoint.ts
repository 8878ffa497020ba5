import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { respond } from '../../http/http-server.ts'
import { readBuild } from '../../log.ts'
import type { Services } from '../../services.ts'
import type { Tool } from '../../slack/routing/routes.ts'
import { instructions, ToolCalls } from './calls.ts'
import { jsonRpcError } from './routes.ts'

/**
 * Serves tools over stateless Streamable HTTP, with a new MCP server for each request.
 * @see https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#streamable-http
 * @see https://docs.slack.dev/ai/slackbot-mcp-client
 */
export class McpEndpoint {
  readonly #tools
  readonly #calls
  readonly #handler

  constructor(services: Services, tools: readonly Tool[]) {
    this.#tools = tools
    this.#calls = new ToolCalls(services)
    const onerror = (error: Error) =>
      services.log.info({ cause: error.message }, 'an MCP request was refused')
    this.#handler = createMcpHandler(() => this.#createServer(), { onerror })
  }

  #createServer(): McpServer {
    const { build, commit: version = build } = readBuild()
    const server = new McpServer(
      { name: 'callboard', title: 'Callboard', version },
      { instructions, capabilities: { tools: { listChanged: false } } },
    )
    for (const tool of this.#tools) {
      const { name, title, description, input } = tool
      const about = {
        title,
        description,
        inputSchema: input,
        annotations: { title, readOnlyHint: true, openWorldHint: false },
        _meta: { slack: { supportsBlockKit: true } },
      }
      server.registerTool(name, about, (args, { mcpReq }) =>
        this.#calls.call(tool, args, mcpReq._meta?.['slack']),
      )
    }
    return server
  }

  async handle(request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    if (body.trimStart().startsWith('[')) {
      respond(response, 400, jsonRpcError(-32_600, 'Send one request at a time: batches are not supported.'))
      return
    }
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] satisfies [string, string]] : [],
    )
    const answer = await this.#handler.fetch(
      new Request(`http://localhost${request.url}`, { method: 'POST', headers, body }),
    )
    const text = await answer.text()
    const contentType = answer.headers.get('content-type')
    response.writeHead(answer.status, {
      'content-length': Buffer.byteLength(text),
      ...(contentType === null ? {} : { 'content-type': contentType }),
    })
    response.end(text)
  }
}
