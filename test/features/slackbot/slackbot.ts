import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { z } from 'zod'
import { signature } from '../../../dev/slack/actions/app-client.ts'
import { checkSlackbotBlocks } from '../../../dev/slack/block-kit/index.ts'
import { readableText } from '../../../dev/slack/readable-text.ts'
import type { Message, User } from '../../../dev/slack/slack.ts'
import type { Tool } from '../../../src/slack/routing/routes.ts'
import type { TestApp } from '../../support/app.ts'
import { registeredRoutes } from '../../support/routes.ts'

const loaders = (await registeredRoutes()).tools
export const allTools: readonly Tool[] = (await Promise.all(loaders.map((load) => load()))).flat()

const takes = (name: string, args: unknown) =>
  allTools.some((tool) => tool.name === name && tool.input.safeParse(args).success)

const findViolations = (blocks: unknown) => checkSlackbotBlocks(blocks, takes)

const callResult = z.object({
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string().min(1).max(8000) })]),
  isError: z.boolean().default(false),
  _meta: z
    .looseObject({ slack: z.object({ blocks: z.array(z.looseObject({ type: z.string() })) }).optional() })
    .optional(),
})

/** Result of a tool call: its text for a model, and its blocks as people read them. */
export interface Called {
  readonly text: string
  readonly isError: boolean
  readonly blocks: readonly { readonly type: string }[] | undefined
  readonly shown: string
  readonly buttons: readonly Button[]
}

interface Button {
  readonly label: string
  readonly tool: string
  readonly args: Record<string, unknown>
}

const button = z.object({ action_id: z.string(), text: z.object({ text: z.string() }), value: z.string() })
const actions = z.object({ type: z.literal('actions'), elements: z.array(button) })

function getButtons(blocks: readonly unknown[]): readonly Button[] {
  const elements = blocks.flatMap((block) => actions.safeParse(block).data?.elements ?? [])
  return elements.map(({ action_id, text, value }) => ({
    label: text.text,
    tool: action_id.slice('tool:'.length),
    args: z.record(z.string(), z.unknown()).parse(JSON.parse(value)),
  }))
}

/** Parses a result, and checks Slack's rules for its blocks. */
function readResult(result: unknown): Called {
  const { content, isError, _meta } = callResult.parse(result)
  const blocks = _meta?.slack?.blocks
  if (blocks) expect(findViolations(blocks)).toEqual([])
  expect(blocks === undefined).toBe(isError)
  return {
    text: content[0].text,
    isError,
    blocks,
    shown: blocks ? readableText({ blocks, text: '' } as unknown as Message) : '',
    buttons: getButtons(blocks ?? []),
  }
}

/** Slackbot for one person: the official client, with a fetch that signs its requests. */
export class Slackbot {
  readonly #app: TestApp
  readonly client: Client
  readonly requests: string[] = []

  /** Announces no extension, because Slack's documentation doesn't mention one. */
  constructor(app: TestApp, mode: 'legacy' | 'auto' = 'legacy') {
    this.#app = app
    this.client = new Client({ name: 'Slackbot', version: '1' }, { versionNegotiation: { mode } })
  }

  async connect(): Promise<this> {
    const transport = new StreamableHTTPClientTransport(new URL(`${this.#app.url}/slack/mcp`), {
      fetch: (url, init) => this.#signed(url, init),
    })
    await this.client.connect(transport)
    return this
  }

  /** @param who the person, or the identity in the request */
  async call(name: string, args: object = {}, who?: User | object): Promise<Called> {
    const slack = who && 'profile' in who ? createIdentity(this.#app, who as User) : who
    const params = { name, arguments: { ...args }, ...(slack ? { _meta: { slack } } : {}) }
    return readResult(await this.client.callTool(params))
  }

  async #signed(url: string | URL, init: RequestInit = {}): Promise<Response> {
    // Slashes are escaped, as in other JSON of Slack.
    const body = typeof init.body === 'string' ? init.body.replaceAll('/', '\\/') : null
    this.requests.push(body ?? '')
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = new Headers(init.headers)
    headers.set('x-slack-request-timestamp', String(timestamp))
    headers.set('x-slack-signature', signature(body ?? '', this.#app.slack.signingSecret, timestamp))
    return fetch(url, { ...init, headers, body })
  }
}

export const createIdentity = ({ slack }: TestApp, { id }: User) => ({
  user_id: id,
  team_id: slack.workspace.teamId,
})

export const createSlackbot = (app: TestApp, mode?: 'legacy' | 'auto'): Promise<Slackbot> =>
  new Slackbot(app, mode).connect()
