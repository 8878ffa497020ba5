import type { types } from '@slack/bolt'
import { actionRow, escapeText, type Message, section } from './blocks.ts'
import { commandButton } from './command-button.ts'

/** Channels by their names, since a button shows no mention; Slack tells none of a private channel (`<#C1|>`). */
export const withChannelNames = (written: string): string =>
  written.replaceAll(/<#[A-Z0-9]+(?:\|([^<>]*))?>/g, (_, name?: string) =>
    name ? `#${name}` : 'the channel',
  )

/**
 * What is wrong with a command, all of it, and the way on.
 * @param problems sentences, not escaped
 * @param command what was probably meant, as it is typed
 * @param buttons of other ways on
 */
export function problemsMessage(
  problems: readonly string[],
  { command, buttons }: { readonly command?: string | undefined; readonly buttons: readonly types.Button[] },
): Message {
  const lines = problems.map((problem) => escapeText(withChannelNames(problem)))
  const list = lines.length === 1 ? (lines[0] ?? '') : lines.map((line) => `• ${line}`).join('\n')
  const question = command === undefined ? '' : `${lines.length === 1 ? ' ' : '\n'}Did you mean this?`
  return {
    text: `${lines.join(' ')}${command === undefined ? '' : ` Did you mean ${escapeText(withChannelNames(command))}?`}`,
    blocks: [
      section(`${list}${question}`),
      ...actionRow([
        ...(command === undefined
          ? []
          : [commandButton('meant', withChannelNames(command), command, 'primary')]),
        ...buttons,
      ]),
    ],
  }
}

/** For words that a command doesn't take, with a button that runs it without them. @param command `/calls alerts` */
export const unknownWordsMessage = (written: readonly string[], command: string): Message =>
  problemsMessage([`I don't recognise "${written.join(' ')}".`], { command, buttons: [] })
