import { context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import type { Word } from '../../slack/routing/command-words.ts'

/** Reads `[NAME] [page:N]`, in any order; a name of several words needs no quotes, being all that there is. */
export function readListWords(words: readonly Word[]) {
  const pages = words.filter(({ key }) => key === 'page')
  const rest = words.filter(({ key }) => key !== 'page')
  const problems = [
    ...pages
      .filter(({ value }) => !/^[1-9]\d{0,5}$/.test(value))
      .map(({ written }) => `"${written}" is not understood: pages count from 1`),
    ...(pages.length > 1 ? ['there is more than one page:N'] : []),
    ...rest.filter(({ key }) => key !== undefined).map(({ written }) => `"${written}" is not understood`),
  ]
  const name = rest.map(({ value }) => value).join(' ')
  return { name, page: Number(pages[0]?.value ?? 1), problems }
}

/** @param problems what was not understood, in words */
export function helpMessage(problems: readonly string[] = []): Message {
  const wrong = problems.map((problem) => `• ${escapeText(problem)}`).join('\n')
  const text =
    problems.length > 0 ? `Nothing was looked up:\n${wrong}` : "Lists the account's agents, ten a page."
  return {
    text,
    blocks: [
      ...(problems.length > 0 ? [] : [header('Agents')]),
      section(text),
      section(escapeText('`/agents [NAME] [page:N]`')),
      context(
        "The menu beside an agent: *Calls* shows the agent's calls, *Details* the SIP login; admins can see the SIP password there.",
      ),
    ],
  }
}
