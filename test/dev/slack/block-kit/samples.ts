import { expect } from 'vitest'
import { checkMessage, checkView, type Violation } from '../../../../dev/slack/block-kit/index.ts'

// Small makers of Block Kit JSON, as plain as it travels: nothing here is checked by the compiler on purpose.
export const plain = (text: string) => ({ type: 'plain_text' as const, text })
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })
export const x = (length: number) => 'x'.repeat(length)
export const times = <T>(n: number, make: (index: number) => T): T[] =>
  Array.from({ length: n }, (_, index) => make(index))

export const section = (fields: object) => ({ type: 'section', ...fields })
export const actions = (...elements: unknown[]) => ({ type: 'actions', elements })
export const input = (element: unknown, fields: object = {}) => ({
  type: 'input',
  label: plain('Label'),
  element,
  ...fields,
})
export const button = (fields: object = {}) => ({ type: 'button', text: plain('Go'), ...fields })
export const option = (value: string, text = value) => ({ text: plain(text), value })
export const options = (n: number) => times(n, (index) => option(`v${index}`))
export const confirm = (fields: object = {}) => ({
  title: plain('Sure?'),
  text: plain('Really?'),
  confirm: plain('Yes'),
  deny: plain('No'),
  ...fields,
})
export const raw = (text: string) => ({ type: 'raw_text', text })
export const table = (rows: unknown[][], fields: object = {}) => ({ type: 'table', rows, ...fields })
export const rich = (...elements: unknown[]) => ({ type: 'rich_text', elements })
export const richSection = (...elements: unknown[]) => ({ type: 'rich_text_section', elements })
export const text = (value: string, fields: object = {}) => ({ type: 'text', text: value, ...fields })
export const chart = (own: object, fields: object = {}) => ({
  type: 'data_visualization',
  title: 'Calls',
  chart: own,
  ...fields,
})
export const line = (series: number, categories: number, name = (index: number) => `s${index}`) => ({
  type: 'line',
  series: times(series, (index) => ({
    name: name(index),
    data: times(categories, (at) => ({ label: `c${at}`, value: at - 3 })),
  })),
  axis_config: { categories: times(categories, (at) => `c${at}`) },
})

export const modal = <T>(blocks: T[], fields: object = {}) => ({
  type: 'modal' as const,
  title: plain('Title'),
  submit: plain('Save'),
  blocks,
  ...fields,
})

/** A message's blocks, with the size of the whole left out of it. */
export const inMessage = (...blocks: unknown[]): readonly Violation[] =>
  checkMessage({ text: 'fallback', blocks }, { jsonBytes: Number.POSITIVE_INFINITY })
export const inModal = (...blocks: unknown[]): readonly Violation[] => checkView(modal(blocks))
export const inHome = (...blocks: unknown[]): readonly Violation[] => checkView({ type: 'home', blocks })

/** What there may be `n` of in what is made: `most` is taken, and one more is refused at this path. */
export type Limit = readonly [name: string, made: (n: number) => unknown, most: number, path: string]

/** The words that one more than that is refused with. */
export const beyond = (most: number) =>
  expect.stringMatching(new RegExp(`\\b${most + 1}\\b|(no more than|at most) ${most}\\b`))
