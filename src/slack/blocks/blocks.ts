import type { types } from '@slack/bolt'
import { isPersonId } from '../../util/mentions.ts'
import { isBlank, takeStart } from '../../util/text.ts'

// Defined elsewhere, because the store needs it, too, and knows no blocks.
export { isPersonId }

/** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block: missing in `@slack/types`. */
export interface ChartBlock {
  readonly type: 'data_visualization'
  readonly block_id: string
  readonly title: string
  readonly chart: {
    readonly type: 'bar'
    readonly series: readonly {
      readonly name: string
      readonly data: readonly { readonly label: string; readonly value: number }[]
    }[]
    readonly axis_config: { readonly categories: readonly string[] }
  }
}

export type Block = types.KnownBlock
export type MessageBlock = Block | ChartBlock
type Button = types.Button

/** @see https://docs.slack.dev/reference/block-kit/blocks and …/block-elements */
export const LIMITS = {
  headerText: 150,
  sectionText: 3000,
  fieldText: 2000,
  buttonText: 75,
  buttonLabel: 75,
  buttonValue: 2000,
  optionText: 75,
  options: 100,
  inputLabel: 2000,
  placeholder: 150,
  modalTitle: 24,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  /** Slack's 255 minus the prefix that every message adds (withTeam). */
  blockId: 225,
  url: 3000,
  /** UTF-8 bytes of a message's JSON. Measured: from 12,000 on, Slack refuses messages with a table. */
  messageBytes: 11_999,
  /** Our own limit; Slack cuts a message's `text` at 4,000. */
  messageText: 3000,
} as const

export interface Message {
  /** Sufficient for a screen reader or a notification. Escaped like mrkdwn. */
  readonly text: string
  readonly blocks?: MessageBlock[]
}

/** Only for mrkdwn and `text`; others are literal: https://docs.slack.dev/messaging/formatting-message-text#escaping */
export function escapeText(text: string): string {
  // Most texts have none of them, and testing costs a fifth of replacing.
  if (!/[&<>]/.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Reverts `should_escape: true`, https://docs.slack.dev/interactivity/implementing-slash-commands#escaping */
export const unescapeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Returns the strings in fields of these names, at any depth of a message. */
export function collectTexts(part: unknown, fields: readonly string[]): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) =>
    typeof value === 'string' && fields.includes(key) ? [value] : collectTexts(value, fields),
  )
}

/** Misses group messages whose `channel_name` is `privategroup`, like a private channel's. @param channelName the payload's */
export const isDirectConversation = (channel: string, channelName = ''): boolean =>
  /^D/.test(channel) || channelName === 'directmessage' || channelName.startsWith('mpdm-')

/** Returns mrkdwn for the middle of a sentence. */
export function conversationText(conversationId: string): string {
  const id = escapeText(conversationId)
  return isPersonId(id) ? `direct messages to <@${id}>` : `<#${id}>`
}

/** Slack refuses blank texts. */
const orDash = (text: string): string => (isBlank(text) ? '–' : text)

/** Cuts between characters to `max` UTF-16 units including an ellipsis. Slack refuses JSON with half an emoji. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text.toWellFormed()
  return `${takeStart(text.toWellFormed(), max - 1)}…`
}

/** Start of an escaped character, or of a link or mention, at the end of a text. */
const UNFINISHED_PART = /(&[a-z]{0,3}|<[^<>]*)$/

/** Cuts mrkdwn, but never within an escaped character, a link or a mention. */
function cutMrkdwn(text: string, max: number): string {
  if (text.length <= max) return text.toWellFormed()
  return `${takeStart(text.toWellFormed(), max - 1).replace(UNFINISHED_PART, '')}…`
}

/** Returns mrkdwn for a message's `text`: as many whole lines as it holds. */
export function textOfLines([first = '', ...more]: readonly string[]): string {
  let text = cutMrkdwn(first, LIMITS.messageText)
  for (const line of more) {
    if (text.length + '\n'.length + line.length > LIMITS.messageText) break
    text += `\n${line}`
  }
  return text
}

export const plain = (text: string, max: number): types.PlainTextElement => ({
  type: 'plain_text',
  text: cut(orDash(text), max),
  emoji: false,
})

export const header = (text: string): Block => ({ type: 'header', text: plain(text, LIMITS.headerText) })

/** Data in the text must be escaped. */
export const mrkdwn = (text: string, max: number = LIMITS.sectionText): types.MrkdwnElement => ({
  type: 'mrkdwn',
  text: cutMrkdwn(orDash(text), max),
  // Slack must not turn data into links or mentions; ours are written in full.
  verbatim: true,
})

/** Without `expand`, Slack may hide a part of the text behind "See more". */
export const section = (text: string): types.SectionBlock => ({
  type: 'section',
  text: mrkdwn(text),
  expand: true,
})

/** Spreads lines of mrkdwn over as many sections as Slack's limit requires. */
export function sections(lines: readonly string[]): types.SectionBlock[] {
  const texts: string[] = []
  for (const line of lines) {
    const last = texts.at(-1)
    const fits = last !== undefined && last.length + '\n'.length + line.length <= LIMITS.sectionText
    if (fits) texts[texts.length - 1] = `${last}\n${line}`
    else texts.push(line)
  }
  return texts.map(section)
}

export const sectionWith = (text: string, accessory: Button | types.Overflow): Block => ({
  ...section(text),
  accessory,
})

/** Takes plain texts. */
export const facts = (named: readonly (readonly [name: string, value: string])[]): Block => ({
  type: 'section',
  fields: named.map(([name, value]) => mrkdwn(`*${name}*\n${escapeText(orDash(value))}`, LIMITS.fieldText)),
})

export const context = (text: string): Block => ({ type: 'context', elements: [mrkdwn(text)] })

export const plainContext = (text: string): Block => context(escapeText(text))

/** Names the person in plain text, because a mention would notify them of every post. */
export const attribution = (name: string, how: string): Block =>
  plainContext(`${how} by ${cut(name, 80)} with Callboard`)

/** Returns no block without buttons. */
export const actionRow = (buttons: readonly Button[]): Block[] =>
  buttons.length > 0 ? [{ type: 'actions', elements: [...buttons] }] : []

/** @param text mrkdwn @param more blocks above the buttons */
export const textMessage = (
  text: string,
  buttons: readonly Button[] = [],
  more: readonly Block[] = [],
): Message => ({ text, blocks: [section(text), ...more, ...actionRow(buttons)] })

export function button(actionId: string, text: string, value?: string, style?: 'primary' | 'danger'): Button {
  const element: Button = { type: 'button', action_id: actionId, text: plain(text, LIMITS.buttonText) }
  if (value !== undefined) element.value = value
  if (style) element.style = style
  return element
}

/** For several buttons with one text. @param label read out instead; begins with the text, because people say that to click */
export const withLabel = (element: Button, label: string): Button => ({
  ...element,
  accessibility_label: cut(label, LIMITS.buttonLabel),
})

export const confirmation = (title: string, text: string, confirm: string) => ({
  title: plain(title, LIMITS.confirmTitle),
  text: plain(text, LIMITS.confirmText),
  confirm: plain(confirm, LIMITS.confirmButton),
  deny: plain('Cancel', LIMITS.confirmButton),
})

/** Shows a dash if empty, because Slack refuses a message with an empty cell. */
export const cell = (text: string, max = 80): types.RawTextElement => ({
  type: 'raw_text',
  text: cut(orDash(text), max),
})

const richText = (element: types.RichTextElement): types.RichTextBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [element] }],
})

/** Callers keep the text short. */
export const boldCell = (text: string) =>
  richText({ type: 'text', text: orDash(text), style: { bold: true } })
export const richLink = (text: string, url: string) => richText({ type: 'link', url, text })

export const option = <V extends string = string>(text: string, value: V) => ({
  text: plain(text, LIMITS.optionText),
  value,
})

export type Option = ReturnType<typeof option>

export function select(
  id: string,
  options: readonly Option[],
  { value, placeholder }: { value?: string | undefined; placeholder?: string },
): types.StaticSelect {
  const menu: types.StaticSelect = { type: 'static_select', action_id: id, options: [...options] }
  const initial = options.find((candidate) => candidate.value === value)
  if (initial) menu.initial_option = initial
  if (placeholder !== undefined) menu.placeholder = plain(placeholder, LIMITS.placeholder)
  return menu
}
