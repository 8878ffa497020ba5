import type { types } from '@slack/bolt'
import { button, escapeText, LIMITS } from './blocks.ts'

const prefix = 'command.'

/** Whether an action id is one of a button that runs a command. */
export const isCommandButton = (actionId: string): boolean => actionId.startsWith(prefix)

/**
 * Runs a command as if the person who clicks had typed it: what the command needs holds, and days such as `yesterday` are
 * read at the click. The answer takes the message's place; from the home tab it goes to the Messages tab.
 * @param id unique within its block: `missed-today`
 * @param command as it is typed: `/calls missed today`
 */
export const commandButton = (id: string, text: string, command: string, style?: 'primary'): types.Button =>
  // Slack escapes what is typed, so that a command's words are read as escaped ones.
  button(`${prefix}${id}`, text, escapeText(command).slice(0, LIMITS.buttonValue), style)

/** For an apology: runs the command once more. */
export const commandAgain = (command: string): types.Button => commandButton('again', 'Try again', command)

/** The command of a button, and its text as Slack sends it; `undefined` where this app did not put it there. */
export function readCommandButton(
  value = '',
): { readonly command: string; readonly text: string } | undefined {
  const [command = '', ...words] = value.split(' ')
  return /^\/[a-z]+$/.test(command) ? { command, text: words.join(' ') } : undefined
}
