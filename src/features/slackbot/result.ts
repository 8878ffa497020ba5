import { z } from 'zod'
import { cut, LIMITS, type MessageBlock } from '../../slack/blocks/blocks.ts'
import type { MessageForms } from '../../slack/deliver/answer.ts'
import type { ToolResult } from '../../slack/routing/routes.ts'

const text = z.string()

/** What every tool's result holds for a program. */
export const toolOutput = z.object({
  title: text,
  about: text.describe('What it is of, with the time zone of its times'),
  columns: z.array(text),
  rows: z.array(z.array(text)),
  notes: z.array(text),
  page: z.int().optional(),
  pages: z.int().optional(),
})

const mostCharacters = 8000
const longestCell = 200
const mostBlocks = 50

const structured = ({ title, about, columns, rows, notes, page, pages }: ToolResult) => ({
  title,
  about,
  columns: [...columns],
  rows: rows.map((row) => row.map((value) => cut(value, longestCell))),
  notes: [...notes],
  ...(page === undefined ? {} : { page }),
  ...(pages === undefined ? {} : { pages }),
})

const tableLine = (values: readonly string[]) =>
  `| ${values.map((value) => value.replaceAll(/\s+/g, ' ').replaceAll(/[\\|]/g, '\\$&')).join(' | ')} |`

/** For a model: whatever the phone service or a person wrote stands in quotes or in a table. */
export function textOf(result: ToolResult): string {
  const { title, about, columns, rows, notes, page, pages } = structured(result)
  const quoted = (name: string, value: string) => `${name}: ${JSON.stringify(cut(value, 500))}`
  const place = page === undefined ? [] : [`Page: ${page}${pages === undefined ? '' : ` of ${pages}`}`]
  const before = [quoted('Title', title), quoted('About', about), ...place]
  const after = notes.slice(0, 5).map((note) => quoted('Note', note))
  const lines = rows.map(tableLine)
  const head = rows.length > 0 ? [tableLine(columns), tableLine(columns.map(() => '---'))] : []
  const shown = [...before, ...head]
  // What is left out is said in a line of its own.
  let room = mostCharacters - [...shown, ...after].join('\n').length - 100
  let count = 0
  for (const line of lines) {
    room -= line.length + 1
    if (room < 0) break
    count += 1
  }
  const left = lines.length - count
  const leftOut = left > 0 ? [`${left} more ${left === 1 ? 'row is' : 'rows are'} left out here.`] : []
  return [...shown, ...lines.slice(0, count), ...leftOut, ...after].join('\n')
}

/** The best form that is small enough; none where none is: Slack would drop all of it for one block too many. */
function blocksOf({ message, otherwise = [] }: MessageForms): readonly MessageBlock[] | undefined {
  for (const make of [() => message, ...otherwise]) {
    const { blocks = [] } = make()
    const isSmall = Buffer.byteLength(JSON.stringify(blocks)) <= LIMITS.messageBytes
    if (blocks.length > 0 && blocks.length <= mostBlocks && isSmall) return blocks
  }
  return undefined
}

/** @param withBlocks whether whoever asked can show them */
export function callResult(result: ToolResult, withBlocks: boolean) {
  const blocks = withBlocks ? blocksOf(result.forms) : undefined
  return {
    content: [{ type: 'text' as const, text: textOf(result) }],
    structuredContent: structured(result),
    ...(blocks ? { _meta: { slack: { blocks } } } : {}),
  }
}
