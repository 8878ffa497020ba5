import type { types } from '@slack/bolt'
import { withMentionNames } from '../../util/mentions.ts'
import { actionRow, escapeText, type Message, section, textMessage } from './blocks.ts'
import { commandButton } from './command-button.ts'

/** @param problem a sentence, not escaped @param command suggested instead, as typed */
export function problemMessage(
  problem: string,
  { command, buttons }: { readonly command?: string | undefined; readonly buttons: readonly types.Button[] },
): Message {
  const text = escapeText(withMentionNames(problem))
  if (command === undefined) return textMessage(text, buttons)
  const label = withMentionNames(command)
  const suggested = commandButton('meant', label, command, 'primary')
  return {
    text: `${text} Did you mean ${escapeText(label)}?`,
    blocks: [section(`${text} Did you mean this?`), ...actionRow([suggested, ...buttons])],
  }
}
