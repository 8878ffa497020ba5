import type { types } from '@slack/bolt'
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
  problemsMessage([`"${written.join(' ')}" isn't recognised.`], { command, buttons: [] })
