import type { types } from '@slack/bolt'
import { withMentionNames } from '../../util/mentions.ts'
import { takeStart } from '../../util/text.ts'
import { action } from './actions.ts'
import * as blocks from './blocks.ts'

const ID_PREFIX = 'command.'

export const isCommandButton = (actionId: string): boolean => actionId.startsWith(ID_PREFIX)

/** `<#C1|sales>`, `<@U1|bo>` or `<!subteam^S1|@team>`, after escaping. */
const ESCAPED_MENTION = /&lt;((?:[#@][A-Z0-9]+|![a-z]+(?:\^[A-Z0-9]+)?)(?:\|[^&]*)?)&gt;/g

/** Escapes a typed command as Slack does, which leaves mentions alone. */
export const escapeTyped = (command: string): string =>
  blocks.escapeText(command).replaceAll(ESCAPED_MENTION, '<$1>')

/** Days such as `yesterday` are relative to the click. @param id unique within its block @param command as typed */
export const commandButton = (id: string, text: string, command: string, style?: 'primary'): types.Button =>
  blocks.button(`${ID_PREFIX}${id}`, text, takeStart(escapeTyped(command), blocks.LIMITS.buttonValue), style)

export const tryAgainButton = (command: string): types.Button => commandButton('again', 'Try again', command)

/** Returns the text as Slack would send it; `undefined` if this app didn't write it. */
export function readCommandButton(value = '') {
  const [command = '', ...words] = value.split(' ')
  if (/^\/[a-z]+$/.test(command)) return { command, text: words.join(' ') }
  return undefined
}

/** @param problem a sentence, not escaped @param command suggested instead, as typed */
export function problemMessage(
  problem: string,
  { command, buttons }: { readonly command?: string | undefined; readonly buttons: readonly types.Button[] },
): blocks.Message {
  const text = blocks.escapeText(withMentionNames(problem))
  if (command === undefined) return blocks.textMessage(text, buttons)
  const label = withMentionNames(command)
  const suggested = commandButton('meant', label, command, 'primary')
  return {
    text: `${text} Did you mean ${blocks.escapeText(label)}?`,
    blocks: [blocks.section(`${text} Did you mean this?`), ...blocks.actionRow([suggested, ...buttons])],
  }
}

// Actions whose buttons one feature shows, and another one handles.

export const settingsAction = action('billing.settings')

export const connectAction = action('setup.connect')
export const connectButton = connectAction.button('Connect…', undefined, 'primary')
export const replaceKeyButton = connectAction.button('Replace key…', undefined, 'primary')

export const showCallsButton = commandButton('show-calls', 'Show calls', '/calls')
