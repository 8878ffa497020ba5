import { z } from 'zod'
import { checkSlackbotBlocks } from '../block-kit/index.ts'
import type { Core } from '../core.ts'
import type { User } from '../directory.ts'
import { type Block, type Json, messageBody, parseJson } from '../shapes.ts'
import type { AppClient } from './app-client.ts'
import { Exchange } from './exchange.ts'
import { getAuthor } from './requests.ts'

const path = '/slack/mcp'
/** https://docs.slack.dev/ai/slackbot-mcp-client: "Tools must respond within 60 seconds." */
const timeoutMs = 60_000

const tool = z.object({
  name: z.string(),
  inputSchema: z.object({ properties: z.record(z.string(), z.unknown()).default({}) }),
})
const toolList = z.object({ result: z.object({ tools: z.array(tool) }) })
const callResult = z.object({
  result: z.object({
    content: z.array(z.object({ text: z.string() })),
    _meta: z.object({ slack: z.object({ blocks: z.unknown() }).optional() }).optional(),
  }),
})

/** A tool's result as Slackbot shows it: its blocks, or its text if Slack drops them. */
interface ToolAnswer {
  readonly text: string
  readonly blocks: readonly Block[]
}

/** Slackbot as a client of the app's MCP server. Like Slack's, it announces no extension and has no session. */
export class Slackbot {
  readonly #core: Core
  readonly #app: AppClient
  #count = 0

  constructor(core: Core, app: AppClient) {
    this.#core = core
    this.#app = app
  }

  /** Calls a tool, because a person asked for it or clicked a button of its answer. */
  async call(
    appUrl: string,
    input: { readonly user: User; readonly tool: string; readonly args: Json },
  ): Promise<{ readonly exchange: Exchange; readonly answer: ToolAnswer }> {
    const { tool, args } = input
    const { user, team } = getAuthor(this.#core, input.user)
    const list = await this.#send(appUrl, 'tools/list', {})
    const known = toolList.parse(list.ackBody).result.tools
    const _meta = { slack: { user_id: user.id, team_id: team.teamId } }
    const exchange = await this.#send(appUrl, 'tools/call', { name: tool, arguments: args, _meta })
    const { content, _meta: shown } = callResult.parse(exchange.ackBody).result
    const blocks = shown?.slack?.blocks
    const takes = (name: string, given: unknown) => {
      const schema = known.find((one) => one.name === name)?.inputSchema
      return schema !== undefined && Object.keys(Object(given)).every((key) => key in schema.properties)
    }
    const violations = blocks === undefined ? [] : checkSlackbotBlocks(blocks, takes)
    for (const violation of violations) this.#core.violations.push({ where: `tool ${tool}`, ...violation })
    const isShown = blocks !== undefined && violations.length === 0
    return {
      exchange,
      answer: {
        text: content.map(({ text }) => text).join('\n'),
        blocks: isShown ? this.#core.ids.fillIn(messageBody.parse({ blocks }).blocks ?? []) : [],
      },
    }
  }

  async #send(appUrl: string, method: string, params: Json) {
    this.#count += 1
    const payload = { jsonrpc: '2.0', id: this.#count, method, params }
    const exchange = Object.assign(new Exchange(payload, this.#core.changes), { path })
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const sent = { body: JSON.stringify(payload), headers, path, timeoutMs }
    const { status, ms, text } = await this.#app.send(appUrl, sent)
    exchange.status = status
    exchange.ackMs = ms
    exchange.ackBody = parseJson(/^data: (.*)$/m.exec(text)?.[1] ?? text)
    this.#core.changes.emit('change')
    return exchange
  }
}
