import { z } from 'zod'
import { messageBlock } from './blocks.ts'
import { checkCount, checkLayout, listElements, records } from './layout.ts'
import { checkCharacters, fromZod, type Violation, violation } from './violations.ts'

// https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses: "If any rule below is violated, the entire
// `_meta.slack.blocks` payload is dropped and nothing is rendered".

const TABLE_CHARACTERS = 20_000

const blocks = z.array(messageBlock).min(1).max(50, 'no more than 50 items allowed')

/** Returns whether the tool accepts the arguments. */
type TakesArguments = (tool: string, args: unknown) => boolean

/** Checks the blocks of a tool's result. */
export function checkSlackbotBlocks(payload: unknown, takes: TakesArguments): readonly Violation[] {
  const parsed = blocks.safeParse(payload)
  const tables = records(payload).filter(([, block]) => block.type === 'table')
  const size = tables.reduce((sum, [, table]) => sum + JSON.stringify(table.rows).length, 0)
  return [
    ...(parsed.success ? [] : fromZod(parsed.error, ['blocks'])),
    ...checkCharacters(payload),
    ...checkLayout(payload),
    ...checkCount(payload, 'data_visualization', 2, 'no more than 2 data_visualization blocks allowed'),
    ...(size > TABLE_CHARACTERS ? [violation(['blocks'], 'too many characters in all tables')] : []),
    ...records(payload).flatMap(([index, block]) => checkElements(index, block, takes)),
    ...urlsIn(payload)
      .filter((url) => !isPublic(url))
      .map((url) => violation(['blocks'], `must be a public https address: ${url}`)),
  ]
}

function checkElements(
  index: number,
  block: Readonly<Record<string, unknown>>,
  takes: TakesArguments,
): readonly Violation[] {
  return listElements(block).flatMap(([path, element]) => {
    const at = ['blocks', index, ...path]
    const { action_id: id, url, options } = element
    if (url !== undefined) return []
    const [, tool] = /^tool:([\w-]+)$/.exec(String(id)) ?? []
    if (tool === undefined) return [violation([...at, 'action_id'], `must be tool:NAME, is ${String(id)}`)]
    // Each option of a menu has separate arguments.
    const values = options === undefined ? [element] : records(options).map(([, option]) => option)
    return values.flatMap(({ value }) =>
      takes(tool, parsedObject(value))
        ? []
        : [violation([...at, 'value'], `must be the arguments of ${tool} as JSON, is ${String(value)}`)],
    )
  })
}

function parsedObject(value: unknown): unknown {
  try {
    return JSON.parse(String(value))
  } catch {
    return undefined
  }
}

function urlsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'url' && typeof inner === 'string' ? [inner] : urlsIn(inner),
  )
}

function isPublic(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' && hostname.includes('.') && !/^[\d.]+$|\.(local|internal)$/.test(hostname)
}
