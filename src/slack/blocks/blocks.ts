import type { types } from '@slack/bolt'

/** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block: not among the types of `@slack/types` yet. */
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
type PlainText = types.PlainTextElement

/** @see https://docs.slack.dev/reference/block-kit/blocks and …/block-elements */
export const LIMITS = {
  headerText: 150,
  sectionText: 3000,
  fieldText: 2000,
  buttonText: 75,
  buttonValue: 2000,
  optionText: 75,
  optionValue: 75,
  /** Slack's own, which a menu of a tool's arguments needs. */
  toolOptionValue: 150,
  options: 100,
  inputLabel: 2000,
  placeholder: 150,
  modalTitle: 24,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  /** Slack's 255 less what every message adds (values.ts). */
  blockId: 225,
  url: 3000,
  /** Of a message's JSON in UTF-8. Ours: above it Slack was measured to refuse a message with a table. */
  messageBytes: 12_000,
  /** Ours: a message's `text`, which Slack cuts at 4,000. */
  messageText: 3000,
} as const

export interface Message {
  /** Usable alone by a screen reader or a notification. Escaped like mrkdwn. */
  readonly text: string
  readonly blocks?: MessageBlock[]
}

/**
 * Escapes what comes from the service or from a person for mrkdwn and for a message's `text`, so that nobody's data
 * mentions `@channel` or hides behind a link. Not for `plain_text`, `raw_text` and rich text: they are literal.
 * @see https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export function escapeText(text: string): string {
  // Most texts hold none of them, and looking costs a fifth of replacing.
  if (!/[&<>]/.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Whether what is posted there goes to a person, by direct message: a place is a channel or a person. */
export const isPersonId = (place: string): boolean => /^[UW]/.test(place)

/** mrkdwn, in the middle of a sentence. */
export const placeText = (place: string): string =>
  isPersonId(place) ? `direct messages to <@${escapeText(place)}>` : `<#${escapeText(place)}>`

/** Cuts to `max` UTF-16 units, an ellipsis included, never through a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** A message's `text` of several lines: as many of them as fit, each whole. */
export function textOfLines([first = '', ...more]: readonly string[]): string {
  let text = cut(first, LIMITS.messageText)
  for (const line of more) {
    if (text.length + line.length + 1 > LIMITS.messageText) break
    text += `\n${line}`
  }
  return text
}

export const plain = (text: string, max: number): PlainText => ({
  type: 'plain_text',
  text: cut(text, max),
  emoji: false,
})

export const header = (text: string): Block => ({ type: 'header', text: plain(text, LIMITS.headerText) })

/** Every formatted text is made here; it must be escaped already where it holds anybody's data. */
export const mrkdwn = (text: string, max: number = LIMITS.sectionText): types.MrkdwnElement => ({
  type: 'mrkdwn',
  text: cut(text, max),
  // Links and mentions are written in full: Slack is to make none of what data holds.
  verbatim: true,
})

export const section = (text: string): types.SectionBlock => ({ type: 'section', text: mrkdwn(text) })

/** Lines of mrkdwn in as many sections as Slack's limit for one asks for. */
export function sections(lines: readonly string[]): types.SectionBlock[] {
  const parts: string[] = []
  for (const line of lines) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + line.length < LIMITS.sectionText)
      parts[parts.length - 1] = `${last}\n${line}`
    else parts.push(line)
  }
  return parts.map(section)
}

export const sectionWith = (text: string, accessory: Button | types.Overflow): Block => ({
  ...section(text),
  accessory,
})

export const fact = (name: string, value: string): string =>
  `*${name}*\n${escapeText(value === '' ? '–' : value)}`

export const fields = (facts: readonly string[]): Block => ({
  type: 'section',
  fields: facts.map((text) => mrkdwn(text, LIMITS.fieldText)),
})

export const context = (text: string): Block => ({ type: 'context', elements: [mrkdwn(text)] })

/** Who had the app put something into a channel: by name, since a mention would notify that person at every post. */
export const attribution = (name: string, how: string): Block =>
  context(escapeText(`${how} by ${cut(name, 80)} with Callboard`))

export const actionRow = (elements: readonly Button[]): Block[] =>
  elements.length > 0 ? [{ type: 'actions', elements: [...elements] }] : []

export const button = (
  actionId: string,
  text: string,
  value?: string,
  style?: 'primary' | 'danger',
): Button => ({
  type: 'button',
  action_id: actionId,
  text: plain(text, LIMITS.buttonText),
  ...(value === undefined ? {} : { value }),
  ...(style ? { style } : {}),
})

export const confirmation = (title: string, text: string, confirm: string, deny: string) => ({
  title: plain(title, LIMITS.confirmTitle),
  text: plain(text, LIMITS.confirmText),
  confirm: plain(confirm, LIMITS.confirmButton),
  deny: plain(deny, LIMITS.confirmButton),
})

/** A red button that asks first, and again in red. */
export const dangerButton = (
  own: Button,
  ask: { readonly title: string; readonly text: string },
): Button => ({
  ...own,
  style: 'danger',
  confirm: { ...confirmation(ask.title, ask.text, own.text.text, 'Cancel'), style: 'danger' },
})

type TableCell = types.TableBlock['rows'][number][number]

/** A table's literal cell. Slack refuses a whole message for one empty cell, so an empty one shows a dash. */
export const cell = (text: string, max = 80): TableCell => ({
  type: 'raw_text',
  text: cut(text.trim() === '' ? '–' : text, max),
})

export const boldCell = (text: string): TableCell => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text, style: { bold: true } }] }],
})

export const richLink = (text: string, url: string): types.RichTextBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'link', url, text }] }],
})
