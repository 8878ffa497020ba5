import type { types } from '@slack/bolt'
import { actionRow, escapeText, type Message, section } from './blocks.ts'
import { commandButton } from './command-button.ts'

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
  const lines = problems.map(escapeText)
  const list = lines.length === 1 ? (lines[0] ?? '') : lines.map((line) => `• ${line}`).join('\n')
  const question = command === undefined ? '' : `${lines.length === 1 ? ' ' : '\n'}Did you mean this?`
  return {
    text: `${lines.join(' ')}${command === undefined ? '' : ` Did you mean ${escapeText(command)}?`}`,
    blocks: [
      section(`${list}${question}`),
      ...actionRow([
        ...(command === undefined ? [] : [commandButton('meant', command, command, 'primary')]),
        ...buttons,
      ]),
    ],
  }
}
