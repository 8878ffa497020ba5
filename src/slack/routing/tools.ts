import type { Word } from '../../grammar/words.ts'
import type { ToolAction } from '../blocks/action.ts'
import type { MessageForms } from '../deliver/answer.ts'
import { type AgentFilter, type QueryCommand, queryCommand } from './query-command.ts'
import type { Interaction, Tool, ToolAnswer } from './routes.ts'

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

/** An argument as a command's word: `agent:"Anna Smith"`. */
export const keyWord = (key: string, value: string | undefined): readonly Word[] =>
  value === undefined ? [] : [{ written: `${key}:"${value}"`, key, value, quoted: true }]

export const bareWord = (value: string | undefined): readonly Word[] =>
  value === undefined ? [] : [{ written: value, key: undefined, value, quoted: false }]

/** Parses a tool's arguments like the words of a command. */
export async function answerQuery<Query extends AgentFilter>(
  services: Parameters<typeof queryCommand>[0],
  command: Omit<QueryCommand<Query>, 'run'>,
  interaction: Interaction,
  words: readonly Word[],
  answer: (query: Query) => Promise<MessageForms>,
): Promise<ToolAnswer> {
  let answered: MessageForms | undefined
  const run = async (_: Interaction, query: Query) => {
    answered = await answer(query)
    return undefined
  }
  const problem = await queryCommand(services, { ...command, run })(interaction, words)
  return answered ?? { problem: problem?.message.text ?? '' }
}
