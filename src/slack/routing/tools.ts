import type { Word } from '../../grammar/words.ts'
import type { ToolAction } from '../blocks/action.ts'
import type { Table } from '../blocks/table.ts'
import type { Answer } from '../deliver/answer.ts'
import { type AgentFilter, type QueryCommand, queryCommand } from './query-command.ts'
import type { Interaction, Tool, ToolAnswer, ToolResult } from './routes.ts'

export const tool = <Args extends object>(
  { tool: name, input }: ToolAction<Args>,
  own: Pick<Tool, 'needs' | 'title' | 'description'>,
  run: (interaction: Interaction, args: Args) => Promise<ToolAnswer>,
): Tool => ({
  ...own,
  name,
  input,
  run: async (interaction, args) => run(interaction, input.parse(args)),
})

export const rowsOfTable = ({ columns, rowCount }: Table): Pick<ToolResult, 'columns' | 'rows'> => ({
  columns: columns.map(({ title }) => title),
  rows: Array.from({ length: rowCount }, (_, row) => columns.map(({ texts }) => texts[row] ?? '')),
})

/** An argument as a command's word: `agent:"Anna Smith"`. */
export const keyWord = (key: string, value: string | undefined): readonly Word[] =>
  value === undefined ? [] : [{ written: `${key}:"${value}"`, key, value, quoted: true }]

export const plainWord = (value: string | undefined): readonly Word[] =>
  value === undefined ? [] : [{ written: value, key: undefined, value, quoted: false }]

/** Understands a tool's arguments as the command understands its words. */
export async function answerQuery<Query extends AgentFilter>(
  services: Parameters<typeof queryCommand>[0],
  command: Omit<QueryCommand<Query>, 'run'>,
  interaction: Interaction,
  words: readonly Word[],
  answer: (query: Query) => Promise<ToolResult>,
): Promise<ToolAnswer> {
  let result: ToolResult | undefined
  const run = async (_: Interaction, query: Query): Promise<Answer | undefined> => {
    result = await answer(query)
    return undefined
  }
  const problem = await queryCommand(services, { ...command, run })(interaction, words)
  return result ?? { problem: problem?.message.text ?? '' }
}
