import { type Block, escapeText } from '../../slack/blocks/blocks.ts'

/** A name and what the service says of it, as a field. */
export const fact = (name: string, value: string): string =>
  `*${name}*\n${escapeText(value === '' ? '–' : value)}`

/** At most ten facts, in two columns. */
export const fields = (facts: readonly string[]): Block => ({
  type: 'section',
  fields: facts.map((text) => ({ type: 'mrkdwn', text: text.slice(0, 2000) })),
})
