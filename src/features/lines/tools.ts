import { z } from 'zod'
import type { Workspaces } from '../../slack/access/workspaces.ts'
import { ToolAction } from '../../slack/blocks/action.ts'
import {
  type Column,
  context,
  fillTable,
  header,
  section,
  sections,
  tableBlock,
  tableInShort,
} from '../../slack/blocks/blocks.ts'
import { type Tool, tool } from '../../slack/routing/routes.ts'
import type { LineList } from '../../telephony/account-cache.ts'
import type { LineNames } from '../../telephony/lines.ts'

const listLines = new ToolAction('list_lines', z.strictObject({}))

const lineColumns: readonly Column<string, LineNames>[] = [
  { title: 'Name', align: 'left', isEssential: true, text: (number, names) => names.getName(number) ?? '' },
  { title: 'Number', align: 'left', isEssential: true, text: (number, names) => names.write(number) },
]
const MAX_ROWS = 60
const NO_LINES_TEXT = 'No lines found: none is billed, and none was called in the last 30 days.'

export const linesTools = (workspaces: Workspaces, lineList: LineList): readonly Tool[] => [
  tool(
    listLines,
    {
      needs: 'calls',
      title: 'List lines',
      description:
        "Lists the company's own phone numbers, and the names that its administrators gave them. With such a name list_calls finds the calls to a line.",
    },
    async (interaction) => {
      interaction.fallback = { request: 'the lines' }
      const { tenant } = interaction
      const [account, names] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
      const numbers = names.numbersWith(await lineList.numbers(account))
      const table = fillTable(lineColumns, numbers.slice(0, MAX_ROWS), names)
      const hidden = numbers.length - MAX_ROWS
      const title = header('Lines')
      if (numbers.length === 0)
        return { message: { text: NO_LINES_TEXT, blocks: [title, section(NO_LINES_TEXT)] } }
      const text = numbers.length === 1 ? '1 line' : `${numbers.length} lines`
      const notes = hidden > 0 ? [context(`${hidden} more lines aren't shown.`)] : []
      return {
        message: { text, blocks: [title, tableBlock(table, {}), ...notes] },
        otherwise: [() => ({ text, blocks: [title, ...sections(tableInShort(table)), ...notes] })],
      }
    },
  ),
]
