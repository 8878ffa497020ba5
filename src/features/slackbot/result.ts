import { LIMITS, type Message, type MessageBlock, section } from '../../slack/blocks/blocks.ts'
import type { MessageForms } from '../../slack/deliver/answer.ts'
import { unescapeText } from '../../slack/routing/commands.ts'

const MAX_TEXT = 8000
const MAX_BLOCKS = 50
const LEFT_OUT = '> The rest is left out here.'

/** Collects the texts in a part of a block. */
function collectBlockTexts(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) =>
    key === 'text' && typeof value === 'string' ? [value] : collectBlockTexts(value),
  )
}

const formatTableRow = (cells: readonly string[]): string =>
  `| ${cells.map((text) => text.replaceAll(/\s+/g, ' ').replaceAll(/[\\|]/g, '\\$&')).join(' | ')} |`

/** Leaves out charts, which show the figures of a table, and buttons. */
function toLines(block: MessageBlock): readonly string[] {
  if (block.type === 'actions' || block.type === 'data_visualization') return []
  if (block.type !== 'table')
    // The name and the value of a field are on separate lines.
    return collectBlockTexts(block).flatMap((text) =>
      unescapeText(text)
        .replace(/^\*([^*\n]+)\*\n/, '$1: ')
        .split(/\r?\n|\r/),
    )
  const [head = [], ...rows] = block.rows.map((cells) =>
    cells.map((cell) => collectBlockTexts(cell).join('')),
  )
  return [head, head.map(() => '---'), ...rows].map(formatTableRow)
}

/** Converts a message to text for a model. Every line is quoted, so that data can't pass for instructions. */
export function toolText({ text, blocks = [section(text)] }: Message): string {
  let quoted = ''
  for (const line of blocks.flatMap(toLines)) {
    if (quoted.length + line.length + LEFT_OUT.length > MAX_TEXT - 4) return `${quoted}${LEFT_OUT}`
    quoted += `> ${line}\n`
  }
  return quoted.trimEnd()
}

/** Slack drops all blocks if there are too many or if they are too large. */
const fits = (blocks: readonly MessageBlock[]): boolean =>
  blocks.length > 0 &&
  blocks.length <= MAX_BLOCKS &&
  Buffer.byteLength(JSON.stringify(blocks)) <= LIMITS.messageBytes

function fittingBlocks({ message, otherwise = [] }: MessageForms): readonly MessageBlock[] {
  for (const make of [() => message, ...otherwise]) {
    const { blocks = [] } = make()
    if (fits(blocks)) return blocks
  }
  return [section(message.text)]
}

/** @see https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses */
export const toCallResult = (answer: MessageForms) => ({
  content: [{ type: 'text' as const, text: toolText(answer.message) }],
  _meta: { slack: { blocks: fittingBlocks(answer) } },
})

/** @param mrkdwn a sentence; names in it are quoted */
export const toErrorResult = (mrkdwn: string) => ({
  content: [{ type: 'text' as const, text: unescapeText(mrkdwn) }],
  isError: true,
})
