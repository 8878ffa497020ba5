import type { types } from '@slack/bolt'
import { actionRow, escapeText, type Message, section, textMessage } from './blocks.ts'
import { commandButton } from './command-button.ts'

/** Buttons don't render mentions. Mentions of private channels have no name (`<#C1|>`). */
export const withChannelNames = (written: string): string =>
  written.replaceAll(/<#[A-Z0-9]+(?:\|([^<>]*))?>/g, (_, name?: string) =>
    name ? `#${name}` : 'the channel',
  )

/** @param problem a sentence, not escaped @param command suggested instead, as typed */
export function problemMessage(
  problem: string,
  { command, buttons }: { readonly command?: string | undefined; readonly buttons: readonly types.Button[] },
): Message {
  const text = escapeText(withChannelNames(problem))
  if (command === undefined) return textMessage(text, buttons)
  const label = withChannelNames(command)
  const suggested = commandButton('meant', label, command, 'primary')
  return {
    text: `${text} Did you mean ${escapeText(label)}?`,
    blocks: [section(`${text} Did you mean this?`), ...actionRow([suggested, ...buttons])],
  }
}
