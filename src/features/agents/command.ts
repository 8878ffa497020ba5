import { z } from 'zod'
import { page } from '../../grammar/filters.ts'
import type { Grammar, WordsRead } from '../../grammar/read-words.ts'
import { action, MenuAction } from '../../slack/blocks/action.ts'
import { context, header, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton, problemsMessage as problemsIn } from '../../slack/blocks/command-button.ts'

export const AGENTS_PER_PAGE = 10

/** The whole query has to fit a block's id, each character escaped at the worst. */
export const LONGEST_NAME = 90

/** What an `/agents` message shows; it rides whole in each of its buttons. */
const agentsQuery = z.strictObject({
  /** A part of the name, or an id; empty for every agent. */
  name: z.string().max(LONGEST_NAME),
  ...page.fields,
})
export type AgentsQuery = Readonly<z.infer<typeof agentsQuery>>

/** The rest of a list. */
export const agentsMore = new MenuAction('agents.more', agentsQuery)

export const agentsActions = {
  page: action('agents.page.', agentsQuery),
  retry: action('agents.retry', agentsQuery),
  share: action('agents.share', agentsQuery),
  refresh: agentsMore.entry('refresh'),
  reveal: action('agents.reveal', z.strictObject({ id: z.string().min(1).max(200) })),
}

/** `[NAME] [page:N]`, in any order; a name of several words needs no quotes, being all that there is. */
export const agentsGrammar: Grammar = { filters: [page], takesName: true }

/** The way out of a list that holds nobody. */
export const allAgentsButton = commandButton('all-agents', 'All agents', '/agents')

const examples = [
  ['/agents', 'everyone, ten to a page', allAgentsButton],
  ['/agents anna', 'those with "anna" in their name', commandButton('anna', 'Find anna', '/agents anna')],
  ['/agents page:2', 'another page', commandButton('page-2', 'Show page 2', '/agents page:2')],
] as const

export function helpMessage(): Message {
  const text = 'Find an agent, their calls and their SIP login.'
  return {
    text: `Agents. ${text}`,
    blocks: [
      header('Agents'),
      section(text),
      ...examples.map(([command, about, button]) => ({
        ...section(`\`${command}\` – ${about}`),
        accessory: button,
      })),
      context(
        "In the menu beside an agent, *Calls* shows the agent's calls and *Details* the SIP login. Administrators can see the SIP password there.",
      ),
    ],
  }
}

/** What is wrong with the words, and the way on. @param meant the words as they were probably meant */
export const problemsMessage = ({ problems, meant }: Pick<WordsRead, 'problems' | 'meant'>): Message =>
  problemsIn(
    problems.map(({ text }) => text),
    {
      command: meant === undefined ? undefined : `/agents ${meant}`,
      buttons: [allAgentsButton, commandButton('help', 'Help', '/agents help')],
    },
  )
