import { actionRow, context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import type { Word } from '../../slack/routing/command-words.ts'

/** Reads `[NAME] [page:N]`, in any order; a name of several words needs no quotes, being all that there is. */
export function readListWords(words: readonly Word[]) {
  const pages = words.filter(({ key }) => key === 'page')
  const rest = words.filter(({ key }) => key !== 'page')
  const problems = [
    ...pages
      .filter(({ value }) => !/^[1-9]\d{0,5}$/.test(value))
      .map(({ written }) => `"${written}" isn't a page: pages count from 1.`),
    ...(pages.length > 1 ? ["There's more than one page."] : []),
    ...rest.filter(({ key }) => key !== undefined).map(({ written }) => `I don't recognise "${written}".`),
  ]
  const name = rest.map(({ value }) => value).join(' ')
  return { name, page: Number(pages[0]?.value ?? 1), problems }
}

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

/** @param problems sentences that say what can't be read, not escaped */
export function problemsMessage(problems: readonly string[]): Message {
  const text = problems.map(escapeText).join('\n')
  return {
    text,
    blocks: [section(text), ...actionRow([allAgentsButton, commandButton('help', 'Help', '/agents help')])],
  }
}
