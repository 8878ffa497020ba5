import { page } from '../../grammar/filters.ts'
import type { Grammar, WordsRead } from '../../grammar/read-words.ts'
import { context, header, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { problemsMessage as problemsIn } from '../../slack/blocks/problems.ts'

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
