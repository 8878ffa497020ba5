import type { types } from '@slack/bolt'
import { takeStart } from '../../util/text.ts'
import { button, escapeText, LIMITS } from './blocks.ts'

const prefix = 'command.'

export const isCommandButton = (actionId: string): boolean => actionId.startsWith(prefix)

/** Slack escapes typed text, except mentions. */
export const asSent = (command: string) =>
  escapeText(command).replaceAll(
    /&lt;([#@][A-Z0-9]+(?:\|[^&]*)?|![a-z]+(?:\^[A-Z0-9]+)?(?:\|[^&]*)?)&gt;/g,
    '<$1>',
  )

/** Days such as `yesterday` are relative to the click. @param id unique within its block @param command as typed */
export const commandButton = (id: string, text: string, command: string, style?: 'primary'): types.Button =>
  button(`${prefix}${id}`, text, takeStart(asSent(command), LIMITS.buttonValue), style)

export const commandAgain = (command: string): types.Button => commandButton('again', 'Try again', command)

/** Returns the text as Slack would send it; `undefined` if this app didn't write it. */
export function readCommandButton(
  value = '',
): { readonly command: string; readonly text: string } | undefined {
  const [command = '', ...words] = value.split(' ')
  return /^\/[a-z]+$/.test(command) ? { command, text: words.join(' ') } : undefined
}
