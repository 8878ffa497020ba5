import type { types } from '@slack/bolt'
import { notUnderstoodText } from '../../grammar/words.ts'
import { actionRow, button, escapeText, LIMITS, type Message, section } from './blocks.ts'

const prefix = 'command.'

export const isCommandButton = (actionId: string): boolean => actionId.startsWith(prefix)

/** Slack escapes typed text, except mentions of channels. */
const asSent = (command: string) =>
  escapeText(command).replaceAll(/&lt;(#[A-Z0-9]+(?:\|[^&]*)?)&gt;/g, '<$1>')

/**
 * Runs a command as if the person who clicks had typed it, with its permissions; days such as `yesterday` are relative to
 * the click. The answer replaces the message; on the home tab, it opens in a modal.
 * @param id unique within its block: `missed-today`
 * @param command as typed: `/calls missed today`
 */
export const commandButton = (id: string, text: string, command: string, style?: 'primary'): types.Button =>
  button(`${prefix}${id}`, text, asSent(command).slice(0, LIMITS.buttonValue), style)

export const commandAgain = (command: string): types.Button => commandButton('again', 'Try again', command)

/** Returns a button's command, with its text as Slack would send it; `undefined` if this app didn't write it. */
export function readCommandButton(
  value = '',
): { readonly command: string; readonly text: string } | undefined {
  const [command = '', ...words] = value.split(' ')
  return /^\/[a-z]+$/.test(command) ? { command, text: words.join(' ') } : undefined
}

export const showCallsButton = commandButton('show-calls', 'Show calls', '/calls')

/** Replaces mentions of channels by names, because buttons don't render mentions. Private channels have none (`<#C1|>`). */
export const withChannelNames = (written: string): string =>
  written.replaceAll(/<#[A-Z0-9]+(?:\|([^<>]*))?>/g, (_, name?: string) =>
    name ? `#${name}` : 'the channel',
  )

/**
 * @param problem a sentence, not escaped
 * @param command suggested instead, as typed
 * @param buttons further alternatives
 */
export function problemMessage(
  problem: string,
  { command, buttons }: { readonly command?: string | undefined; readonly buttons: readonly types.Button[] },
): Message {
  const text = escapeText(withChannelNames(problem))
  if (command === undefined) return { text, blocks: [section(text), ...actionRow(buttons)] }
  const label = withChannelNames(command)
  const suggested = commandButton('meant', label, command, 'primary')
  return {
    text: `${text} Did you mean ${escapeText(label)}?`,
    blocks: [section(`${text} Did you mean this?`), ...actionRow([suggested, ...buttons])],
  }
}

/** Suggests `/callboard calls missed` instead of `/calls missed`, to people who typed `/callboard calls mised`. */
export function suggestLongCommand<Answer extends { readonly message: Message }>(answer: Answer): Answer {
  const lengthen = (text: string) => text.replace(/(^|Did you mean )\/(?!callboard)/, '$1/callboard ')
  const { text, blocks = [] } = answer.message
  const longBlocks = blocks.map((block) => {
    if (block.type !== 'actions') return block
    const elements = block.elements.map((one) =>
      one.type === 'button' && one.action_id === `${prefix}meant`
        ? button(one.action_id, lengthen(one.text.text), lengthen(one.value ?? ''), one.style)
        : one,
    )
    return { ...block, elements }
  })
  return { ...answer, message: { text: lengthen(text), blocks: longBlocks } }
}

/** For words that a command doesn't accept, with a button that runs it without them. @param command `/calls alerts` */
export const unknownWordsMessage = (written: readonly string[], command: string): Message =>
  problemMessage(notUnderstoodText(written.join(' ')), { command, buttons: [] })
