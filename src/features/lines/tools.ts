import { z } from 'zod'
import type { Workspaces } from '../../slack/access/workspaces.ts'
import { ToolAction } from '../../slack/blocks/action.ts'
import { header, section, sections } from '../../slack/blocks/blocks.ts'
import { type Column, fillTable, tableBlock, tableInShort } from '../../slack/blocks/table.ts'
import type { Tool } from '../../slack/routing/routes.ts'
import { rowsOfTable, tool } from '../../slack/routing/tools.ts'
import type { LineList, LineNames } from '../../telephony/lines.ts'

const listLines = new ToolAction('list_lines', z.strictObject({}))

const lineColumns: readonly Column<string, LineNames>[] = [
  { title: 'Name', align: 'left', isEssential: true, text: (number, names) => names.nameOf(number) ?? '' },
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
      const numbers = names.with(await lineList.numbers(account))
      const table = fillTable(lineColumns, numbers.slice(0, MAX_ROWS), names)
      const more = numbers.length - MAX_ROWS
      const about = numbers.length === 1 ? '1 line' : `${numbers.length} lines`
      const rows = numbers.length === 0 ? [section(NO_LINES_TEXT)] : [tableBlock(table, {})]
      const head = header('Lines')
      const text = numbers.length === 0 ? NO_LINES_TEXT : about
      return {
        title: 'Lines',
        about,
        ...rowsOfTable(table),
        notes: numbers.length === 0 ? [NO_LINES_TEXT] : more > 0 ? [`${more} more are left out`] : [],
        forms: {
          message: { text, blocks: [head, ...rows] },
          otherwise: [() => ({ text, blocks: [head, ...sections(tableInShort(table))] })],
        },
      }
    },
  ),
]
